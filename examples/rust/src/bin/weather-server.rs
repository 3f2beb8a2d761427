//! A server for the weather of eight cities, from a fixed table: no network, the same
//! answers every day.
//!
//! Shows: the shortest way to a useful server. Typed arguments, structured answers with
//! an output schema, a resource, a prompt, completion, errors the model can act on.
//!
//! ```sh
//! cargo run --release -p mcpbolt-examples --bin weather-server
//! cargo run --release -p mcpbolt-examples --bin weather-server -- --http 127.0.0.1:3000
//! ```

use std::process::ExitCode;

use clap::Parser;
use mcpbolt::server::{Context, Failure, Json, Server};
use mcpbolt::types::{
    CompleteParams, CompleteResult, IndexMap, Prompt, PromptArgument, Resource, Tool, ToolAnnotations,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// City, degrees Celsius, chance of rain in per cent, sky.
const TABLE: [(&str, f64, u8, &str); 8] = [
    ("Berlin", 14.0, 40, "cloudy"),
    ("Cairo", 31.5, 0, "clear"),
    ("Lima", 18.0, 5, "misty"),
    ("London", 12.5, 70, "rainy"),
    ("Nairobi", 22.0, 20, "sunny"),
    ("Oslo", 6.0, 30, "clear"),
    ("Sydney", 24.0, 15, "sunny"),
    ("Tokyo", 19.5, 55, "rainy"),
];

/// The weather of eight cities, over stdio or HTTP.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(flatten)]
    listen: mcpbolt_examples::Listen,
}

#[derive(Deserialize, JsonSchema)]
struct Place {
    /// Name of a city, in English.
    city: String,
}

#[derive(Deserialize, JsonSchema)]
struct Days {
    /// Name of a city, in English.
    city: String,
    /// How many days.
    #[schemars(range(min = 1, max = 7))]
    days: u8,
}

/// The weather at one time.
#[derive(Serialize, JsonSchema)]
struct Weather {
    city: String,
    /// Degrees Celsius.
    temperature: f64,
    /// Chance of rain in per cent.
    rain: u8,
    sky: String,
}

#[derive(Serialize, JsonSchema)]
struct Forecast {
    /// Tomorrow first.
    days: Vec<Weather>,
}

fn main() -> ExitCode {
    mcpbolt_examples::serve(&Args::parse().listen, server)
}

fn server() -> Server {
    let table = Resource::new("weather://cities", "cities")
        .description("The cities there is a weather for")
        .mime_type("application/json");
    let pack = Prompt::new("what_to_pack")
        .description("Asks what to pack for a trip")
        .argument(PromptArgument::new("city").description("Where to").required(true));
    Server::builder("mcpbolt-weather", env!("CARGO_PKG_VERSION"))
        .title("Weather")
        .instructions("The weather never changes here: a table for examples.")
        .typed_tool(|schema| read_only("current_weather", "The weather of a city", schema), current)
        .typed_tool(|schema| read_only("forecast", "The weather of the next days", schema), forecast)
        .resource(table, |_| async { serde_json::json!(cities()).to_string() })
        .prompt(pack, |given: IndexMap<String, String>, _| async move {
            let weather = look_up(given.get("city").map_or("", String::as_str))?;
            Ok::<_, Failure>(format!(
                "I travel to {}: {} degrees, {}, {} % chance of rain. What do I pack?",
                weather.city, weather.temperature, weather.sky, weather.rain
            ))
        })
        .completion(|params: CompleteParams, _| async move {
            let typed = params.argument.value.to_lowercase();
            let fits = cities().into_iter().filter(|city| city.to_lowercase().starts_with(&typed));
            Ok::<_, Failure>(CompleteResult::new(fits.map(str::to_owned).collect()))
        })
        .build()
}

fn read_only(name: &str, description: &str, schema: mcpbolt::jsonrpc::RawJson) -> Tool {
    let hints = ToolAnnotations::new().read_only_hint(true).open_world_hint(false);
    Tool::new(name, schema).description(description).annotations(hints)
}

async fn current(place: Place, _: Context) -> Result<Json<Weather>, Failure> {
    look_up(&place.city).map(Json)
}

async fn forecast(asked: Days, _: Context) -> Result<Json<Forecast>, Failure> {
    let today = look_up(&asked.city)?;
    let days = (1..=asked.days)
        .map(|day| Weather {
            city: today.city.clone(),
            // Warmer and colder in turn, so that the days differ.
            temperature: today.temperature + if day % 2 == 0 { -1.5 } else { 1.0 },
            rain: today.rain,
            sky: today.sky.clone(),
        })
        .collect();
    Ok(Json(Forecast { days }))
}

fn cities() -> Vec<&'static str> {
    TABLE.iter().map(|(city, ..)| *city).collect()
}

fn look_up(city: &str) -> Result<Weather, Failure> {
    let row = TABLE.iter().find(|(name, ..)| name.eq_ignore_ascii_case(city.trim()));
    let &(city, temperature, rain, sky) = row.ok_or_else(|| {
        Failure::tool(format!("No weather for {city:?}; there is one for {}.", cities().join(", ")))
    })?;
    Ok(Weather { city: city.to_owned(), temperature, rain, sky: sky.to_owned() })
}
