//! The walk from both ends: one pass from the right, one from the left, and what lies
//! between them is the value that may span segments.
//!
//! On the left of that value a value is as short as the text after it allows, elsewhere as
//! the text before it does. Nothing is tried again, so time grows with the URI alone.
//!
//! Owns: which values a URI has by this rule. Must not know: the syntax of templates.

use memchr::memmem;
use percent_encoding::percent_decode_str;

use super::Value;
use super::piece::{Kind, Piece, Slot};

type Values<'p> = Vec<(&'p str, Value)>;

/// The values of a URI, and of the query behind the pieces if names are given for that.
pub(super) fn matches<'p>(pieces: &'p [Piece], query: &'p [String], uri: &str) -> Option<Values<'p>> {
    if query.is_empty() {
        return of_path(pieces, uri);
    }
    let whole = before(uri, "#");
    let path = before(whole, "?");
    let mut values = of_path(pieces, path)?;
    values.extend(of_query(query, whole.get(path.len() + 1..).unwrap_or_default()));
    Some(values)
}

/// A text up to a mark, or all of it.
fn before<'u>(text: &'u str, mark: &str) -> &'u str {
    text.split_once(mark).map_or(text, |(before, _)| before)
}

/// The first value of a name counts, names are never encoded, and a plus is a plus.
fn of_query<'p>(names: &'p [String], query: &str) -> Values<'p> {
    let pairs: Vec<(&str, &str)> =
        query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, ""))).collect();
    let find = |name: &'p String| {
        let (_, value) = pairs.iter().find(|(known, _)| known == name)?;
        Some((name.as_str(), Value::Text(decoded(value))))
    };
    names.iter().filter_map(find).collect()
}

fn of_path<'p>(pieces: &'p [Piece], uri: &str) -> Option<Values<'p>> {
    let spanning =
        pieces.iter().position(|piece| matches!(piece, Piece::Value(slot) if slot.kind == Kind::Spanning));
    let tail = spanning.map_or(pieces, |at| &pieces[at + 1..]);
    let mut values = Vec::new();
    let start = backward(tail, uri, spanning.is_none(), &mut values)?;
    let Some(Piece::Value(slot)) = spanning.and_then(|at| pieces.get(at)) else {
        return (start == 0).then_some(values);
    };
    let mut found = Vec::new();
    let end = forward(&pieces[..spanning?], uri, start, &mut found)?;
    found.push((slot.name.as_str(), spanned(slot, uri.get(end..start).unwrap_or_default())?));
    found.append(&mut values);
    Some(found)
}

/// Fits pieces to the end of a URI, from the right; where they begin. With `whole` they are
/// the template.
fn backward<'p>(pieces: &'p [Piece], uri: &str, whole: bool, values: &mut Values<'p>) -> Option<usize> {
    let mut end = uri.len();
    for (index, piece) in pieces.iter().enumerate().rev() {
        let slot = match piece {
            Piece::Text(text) => {
                end = uri.get(..end)?.strip_suffix(text.as_str())?.len();
                continue;
            }
            Piece::Value(slot) => slot,
        };
        let lead = index.checked_sub(1).map_or("", |at| text_of(pieces, at));
        let value = uri.get(..end)?;
        // A value cannot go further to the left than this.
        let mut stops = value.rmatch_indices(|c| slot.stops.contains(c));
        let floor = stops.next().map_or(0, |(at, stop)| at + stop.len());
        let bare = slot.kind == Kind::Bare;
        let start = if bare {
            if value.ends_with(lead) { end } else { floor + value[floor..].find('=')? }
        } else if lead.is_empty() {
            floor
        } else if whole && index == 1 {
            // What a template begins with is where the URI begins, though it may come again.
            lead.len()
        } else {
            let from = floor.saturating_sub(lead.len());
            from + memmem::rfind(value.as_bytes().get(from..)?, lead.as_bytes())? + lead.len()
        };
        if start < floor {
            return None;
        }
        let text = value.get(start..)?;
        let text = if bare { unmarked(text) } else { text };
        values.push((&slot.name, Value::Text(decoded(text))));
        end = start;
    }
    Some(end)
}

/// Fits pieces to the beginning of a URI, from the left and not beyond a limit; where they end.
fn forward<'p>(pieces: &'p [Piece], uri: &str, limit: usize, values: &mut Values<'p>) -> Option<usize> {
    let mut start = 0;
    for (index, piece) in pieces.iter().enumerate() {
        let slot = match piece {
            Piece::Text(text) => {
                uri.get(start..limit)?.strip_prefix(text.as_str())?;
                start += text.len();
                continue;
            }
            Piece::Value(slot) => slot,
        };
        let after = text_of(pieces, index + 1);
        if slot.kind == Kind::Bare {
            if uri.get(start..)?.starts_with(after) {
                values.push((&slot.name, Value::Text(String::new())));
                continue;
            }
            uri.get(start..limit)?.strip_prefix('=')?;
            start += 1;
        }
        let ceiling = uri.get(start..limit)?.find(|c| slot.stops.contains(c)).map_or(limit, |at| start + at);
        let reach = (ceiling + after.len()).min(uri.len());
        let end = start + memmem::find(uri.as_bytes().get(start..reach)?, after.as_bytes())?;
        values.push((&slot.name, Value::Text(decoded(uri.get(start..end)?))));
        start = end;
    }
    Some(start)
}

/// The value that takes what is left over; `None` if it cannot be that.
fn spanned(slot: &Slot, text: &str) -> Option<Value> {
    let Some(between) = slot.between else {
        let stopped = text.contains(|c| slot.stops.contains(c));
        return (!stopped).then(|| Value::Text(decoded(text)));
    };
    if text.is_empty() {
        return Some(Value::List(Vec::new()));
    }
    let items = text.strip_prefix(between)?;
    if items.contains(|c| c != between && slot.stops.contains(c)) {
        return None;
    }
    let item = |item: &str| {
        if !slot.named {
            return Some(decoded(item));
        }
        let (name, value) = item.split_once('=').unwrap_or((item, ""));
        (name == slot.name).then(|| decoded(value))
    };
    items.split(between).map(item).collect::<Option<_>>().map(Value::List)
}

/// The text at a place; values are never neighbours.
fn text_of(pieces: &[Piece], at: usize) -> &str {
    match pieces.get(at) {
        Some(Piece::Text(text)) => text,
        _ => "",
    }
}

/// `=value` without its mark.
fn unmarked(text: &str) -> &str {
    text.strip_prefix('=').unwrap_or(text)
}

/// Percent triplets as the text they stand for; what is none, or not UTF-8, is kept or replaced.
fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
