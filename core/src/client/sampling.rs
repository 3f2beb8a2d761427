//! Human in the loop, part two: a server asks our model, in four replaceable steps,
//! within a budget.
//!
//! Owns: the order of the steps, what a review may change, the budget. Must not know: which
//! model there is, or how a request came.

use std::collections::VecDeque;
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{
    ContentBlock, CreateMessageParams, CreateMessageResult, IncludeContext, ModelPreferences, Role,
};
use mcpbolt_proto::session::Time;

use crate::handler::BoxFuture;

use super::sampling_context::{SamplingContext, SessionContext};
use super::sampling_depth::Nesting;
use super::url_elicitation::UrlElicitations;

/// Outcome of a review.
///
/// ```
/// use mcpbolt::client::Review;
/// use mcpbolt::types::CreateMessageParams;
///
/// fn shorten(mut params: CreateMessageParams) -> Review<CreateMessageParams> {
///     if params.messages.is_empty() {
///         return Review::Reject;
///     }
///     params.max_tokens = params.max_tokens.min(500);
///     Review::Allow(params)
/// }
/// # assert_eq!(shorten(CreateMessageParams::default()), Review::Reject);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Review<T> {
    /// Go on with this.
    Allow(T),
    /// The person says no.
    Reject,
}

/// A model that may be chosen, with what it is good at, from 0 to 1.
///
/// ```
/// use mcpbolt::client::{Model, choose_model};
/// use mcpbolt::types::ModelPreferences;
///
/// let small = Model { name: "small".into(), cheapness: 0.9, speed: 0.9, intelligence: 0.3 };
/// let large = Model { name: "large".into(), cheapness: 0.2, speed: 0.3, intelligence: 0.9 };
/// let wanted = ModelPreferences { intelligence_priority: Some(1.0), ..Default::default() };
/// assert_eq!(choose_model(Some(&wanted), &[small, large]).unwrap().name, "large");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// How cheap it is.
    pub cheapness: f64,
    /// How fast it is.
    pub speed: f64,
    /// How able it is.
    pub intelligence: f64,
}

/// Answers `sampling/createMessage`. Only `create_message` is required.
///
/// ```
/// use mcpbolt::client::{Client, Model, Sampler};
/// use mcpbolt::handler::BoxFuture;
/// use mcpbolt::types::{CreateMessageParams, CreateMessageResult};
/// use mcpbolt::Error;
///
/// struct Parrot;
///
/// impl Sampler for Parrot {
///     fn models(&self) -> Vec<Model> {
///         vec![Model { name: "parrot".into(), cheapness: 1.0, ..Model::default() }]
///     }
///     fn create_message(
///         &self,
///         params: CreateMessageParams,
///         model: Option<String>,
///     ) -> BoxFuture<'_, Result<CreateMessageResult, Error>> {
///         let said = params.messages.last().map(|last| last.content.clone()).unwrap_or_default();
///         Box::pin(async move { Ok(CreateMessageResult::new(model.unwrap_or_default(), said)) })
///     }
/// }
/// let client = Client::builder("example", "1.0").sampler(Parrot).build();
/// assert!(client.capabilities().sampling.is_some());
/// ```
pub trait Sampler: Send + Sync + 'static {
    /// Step one: may this be asked? The request may be reduced, never extended: system
    /// prompt, context and `max_tokens` above the server's are cut back.
    fn review_request(&self, params: CreateMessageParams) -> BoxFuture<'_, Review<CreateMessageParams>> {
        Box::pin(std::future::ready(Review::Allow(params)))
    }

    /// The models to choose from.
    fn models(&self) -> Vec<Model> {
        Vec::new()
    }

    /// Step two: which model?
    fn choose_model(&self, preferences: Option<&ModelPreferences>) -> Option<String> {
        choose_model(preferences, &self.models()).map(|model| model.name.clone())
    }

    /// Step three: ask it.
    fn create_message(
        &self,
        params: CreateMessageParams,
        model: Option<String>,
    ) -> BoxFuture<'_, Result<CreateMessageResult, Error>>;

    /// Step three, with the context the request asked for and the review left: adds the
    /// servers' instructions to the system prompt and goes on with `create_message`.
    fn create_message_in(
        &self,
        params: CreateMessageParams,
        model: Option<String>,
        context: SamplingContext,
    ) -> BoxFuture<'_, Result<CreateMessageResult, Error>> {
        self.create_message(context.attach(params), model)
    }

    /// Step four: may the server see the answer?
    fn review_result(&self, result: CreateMessageResult) -> BoxFuture<'_, Review<CreateMessageResult>> {
        Box::pin(std::future::ready(Review::Allow(result)))
    }
}

/// The first model whose name contains a hint, hints in order; without a match the one
/// that fits the three priorities best, earlier ones first.
pub fn choose_model<'m>(preferences: Option<&ModelPreferences>, available: &'m [Model]) -> Option<&'m Model> {
    let Some(preferences) = preferences else { return available.first() };
    let hints = preferences.hints.iter().flatten().filter_map(|hint| hint.name.as_deref());
    for hint in hints.filter(|hint| !hint.is_empty()) {
        let hint = hint.to_lowercase();
        if let Some(model) = available.iter().find(|model| model.name.to_lowercase().contains(&hint)) {
            return Some(model);
        }
    }
    let weight = |priority: Option<f64>| priority.unwrap_or(0.0).clamp(0.0, 1.0);
    let score = |model: &Model| {
        weight(preferences.cost_priority) * model.cheapness
            + weight(preferences.speed_priority) * model.speed
            + weight(preferences.intelligence_priority) * model.intelligence
    };
    available.iter().reduce(|best, model| if score(model) > score(best) { model } else { best })
}

/// How much sampling one session may cause.
///
/// ```
/// use mcpbolt::client::{Client, SamplingBudget};
///
/// let budget = SamplingBudget { requests_per_minute: Some(5), max_tokens: Some(1_000), ..Default::default() };
/// let client = Client::builder("example", "1.0").sampling_budget(budget).build();
/// # let _ = client;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SamplingBudget {
    /// Most requests within any minute.
    pub requests_per_minute: Option<u32>,
    /// Most tokens asked for in the session's life.
    pub tokens_per_session: Option<u64>,
    /// Most tokens of one request; higher ones are lowered to it.
    pub max_tokens: Option<u64>,
}

/// What a session has caused so far by sampling.
///
/// ```
/// use mcpbolt::client::SamplingTotals;
///
/// assert_eq!(SamplingTotals::default().tokens, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SamplingTotals {
    /// Requests that were within the budget, rejected ones included.
    pub requests: u64,
    /// Tokens that the model was allowed to use.
    pub tokens: u64,
}

/// The running totals of one session.
#[derive(Debug, Default)]
pub(super) struct Spent {
    totals: Mutex<Totals>,
}

#[derive(Debug, Default)]
struct Totals {
    recent: VecDeque<Time>,
    all: SamplingTotals,
}

impl Spent {
    /// Takes one request out of the budget and lowers its `max_tokens`.
    pub(super) fn charge(
        &self,
        budget: &SamplingBudget,
        now: Time,
        params: &mut CreateMessageParams,
    ) -> Result<(), Error> {
        let mut totals = self.totals.lock();
        let Totals { recent, all } = &mut *totals;
        while recent.front().is_some_and(|at| *at + Duration::from_mins(1) <= now) {
            recent.pop_front();
        }
        if budget.requests_per_minute.is_some_and(|most| recent.len() >= most as usize) {
            return Err(Error::rejected("sampling request: too many requests in one minute"));
        }
        if let Some(most) = budget.max_tokens {
            params.max_tokens = params.max_tokens.min(most);
        }
        if let Some(most) = budget.tokens_per_session {
            let left = most.saturating_sub(all.tokens);
            if left == 0 {
                return Err(Error::rejected("sampling request: the session's tokens are used up"));
            }
            params.max_tokens = params.max_tokens.min(left);
        }
        all.tokens = all.tokens.saturating_add(params.max_tokens);
        all.requests += 1;
        recent.push_back(now);
        Ok(())
    }

    /// Gives back tokens that will not be used.
    fn refund(&self, tokens: u64) {
        let mut totals = self.totals.lock();
        totals.all.tokens = totals.all.tokens.saturating_sub(tokens);
    }

    pub(super) fn totals(&self) -> SamplingTotals {
        self.totals.lock().all
    }
}

/// What one session's answers draw on.
#[derive(Default)]
pub(super) struct Asking {
    pub(super) spent: Spent,
    pub(super) context: SessionContext,
    pub(super) pages: UrlElicitations,
    pub(super) nesting: Nesting,
}

/// The four steps in order.
pub(super) async fn sample(
    sampler: &dyn Sampler,
    budget: &SamplingBudget,
    asking: &Asking,
    now: Time,
    mut asked: CreateMessageParams,
) -> Result<CreateMessageResult, Error> {
    check_tool_results(&asked)?;
    asking.spent.charge(budget, now, &mut asked)?;
    let Review::Allow(edited) = sampler.review_request(asked.clone()).await else {
        asking.spent.refund(asked.max_tokens);
        return Err(Error::rejected("sampling request"));
    };
    let params = reduced(edited, &asked);
    asking.spent.refund(asked.max_tokens - params.max_tokens);
    let model = sampler.choose_model(params.model_preferences.as_ref());
    let context = asking.context.gather(params.include_context.as_ref());
    let result = sampler.create_message_in(params, model, context).await?;
    match sampler.review_result(result).await {
        Review::Allow(result) => Ok(result),
        Review::Reject => Err(Error::rejected("sampling request")),
    }
}

/// An edit may take away, not add.
fn reduced(mut edited: CreateMessageParams, asked: &CreateMessageParams) -> CreateMessageParams {
    let context = |value: &Option<IncludeContext>| match value {
        None | Some(IncludeContext::None) => 0,
        Some(IncludeContext::ThisServer) => 1,
        Some(_) => 2,
    };
    edited.max_tokens = edited.max_tokens.min(asked.max_tokens);
    if context(&edited.include_context) > context(&asked.include_context) {
        edited.include_context.clone_from(&asked.include_context);
    }
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    if length(&edited.system_prompt) > length(&asked.system_prompt) {
        edited.system_prompt.clone_from(&asked.system_prompt);
    }
    edited
}

/// The message after tool uses holds their results, one each, and nothing else.
fn check_tool_results(params: &CreateMessageParams) -> Result<(), Error> {
    let mut waiting: Vec<&str> = Vec::new();
    for message in &params.messages {
        let results: Vec<&str> = message
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::ToolResult(result) => Some(result.tool_use_id.as_str()),
                _ => None,
            })
            .collect();
        let alone = results.len() == message.content.len() && message.role == Role::User;
        let mixed = !results.is_empty() && !alone;
        let mut expected = std::mem::take(&mut waiting);
        let mut found = results;
        expected.sort_unstable();
        found.sort_unstable();
        if mixed || expected != found {
            return Err(unanswered());
        }
        if message.role == Role::Assistant {
            waiting.extend(message.content.iter().filter_map(|block| match block {
                ContentBlock::ToolUse(tool) => Some(tool.id.as_str()),
                _ => None,
            }));
        }
    }
    if waiting.is_empty() { Ok(()) } else { Err(unanswered()) }
}

fn unanswered() -> Error {
    Error::invalid_params("every tool use needs its result, alone in the next message")
}
