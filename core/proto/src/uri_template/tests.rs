//! The examples of section 3.2 of RFC 6570, matching, and hostile inputs.

use proptest::prelude::*;

use super::*;

fn lookup(name: &str) -> Option<Value> {
    let texts = [
        ("dom", "example.com"),
        ("dub", "me/too"),
        ("hello", "Hello World!"),
        ("half", "50%"),
        ("var", "value"),
        ("who", "fred"),
        ("base", "http://example.com/home/"),
        ("path", "/foo/bar"),
        ("v", "6"),
        ("x", "1024"),
        ("y", "768"),
        ("empty", ""),
        ("pct", "a%20b%"),
    ];
    let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    Some(match name {
        "list" => Value::List(list(&["red", "green", "blue"])),
        "none" => Value::List(vec![]),
        "count" => Value::List(list(&["one", "two"])),
        "keys" => {
            let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
            Value::Map(vec![pair("semi", ";"), pair("dot", "."), pair("comma", ",")])
        }
        _ => texts.iter().find(|(known, _)| *known == name)?.1.into(),
    })
}

#[test]
fn expansion_levels_1_to_4() {
    for (template, expected) in [
        ("{var}", "value"),
        ("{hello}", "Hello%20World%21"),
        ("O{empty}X", "OX"),
        ("O{undef}X", "OX"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("?{x,undef}", "?1024"),
        ("{var:3}", "val"),
        ("{list}", "red,green,blue"),
        ("{list*}", "red,green,blue"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"),
        ("{+half}", "50%25"),
        ("{+pct}", "a%20b%25"),
        ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"),
        ("{+path:6}here", "/foo/bhere"),
        ("{+keys}", "semi,;,dot,.,comma,,"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"),
        ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("X{.var,x}", "X.value.1024"),
        ("X{.list*}", "X.red.green.blue"),
        ("X{.empty}", "X."),
        ("X{.none}", "X"),
        ("www{.dom}", "www.example.com"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{/var,empty}", "/value/"),
        ("{/var:1,var}", "/v/value"),
        ("{/list*}", "/red/green/blue"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"),
        ("{;list}", ";list=red,green,blue"),
        ("{;list*}", ";list=red;list=green;list=blue"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="),
        ("{?x,y,undef}", "?x=1024&y=768"),
        ("{?var:3}", "?var=val"),
        ("{?count*}", "?count=one&count=two"),
        ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
        ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
        ("ü", "%C3%BC"),
    ] {
        assert_eq!(UriTemplate::parse(template).unwrap().expand(lookup), expected, "{template}");
    }
}

#[test]
fn errors_name_their_position() {
    use TemplateFault::{Literal, Name, Operator, Prefix, TooLarge, Unclosed, Unopened};
    let wide = "{a}".repeat(MAX_VARIABLES + 1);
    for (template, position, fault) in [
        ("a{b", 1, Unclosed),
        ("ab}c", 2, Unopened),
        ("a b", 1, Literal),
        ("{=a}", 1, Operator),
        ("x{}", 2, Name),
        ("{a,,b}", 3, Name),
        ("{a-b}", 1, Name),
        ("{a.}", 1, Name),
        ("{a%2}", 1, Name),
        ("{?a,b:x}", 5, Prefix),
        ("{a:0}", 2, Prefix),
        ("{a:10000}", 2, Prefix),
        ("{a:3*}", 2, Prefix),
        ("{{a}}", 1, Name),
        (&"x".repeat(MAX_TEMPLATE_BYTES + 1), MAX_TEMPLATE_BYTES, TooLarge),
        (&wide, 3 * MAX_VARIABLES, TooLarge),
    ] {
        assert_eq!(UriTemplate::parse(template), Err(TemplateError { position, fault }), "{template:.40}");
    }
}

fn matched(template: &str, uri: &str) -> Option<String> {
    let show = |(name, value): (String, Value)| match value {
        Value::Text(text) => format!("{name}={text}"),
        Value::List(items) => format!("{name}=[{}]", items.join("|")),
        Value::Map(_) => unreachable!("matching makes no maps"),
    };
    let values = UriTemplate::parse(template).unwrap().matches(uri)?;
    Some(values.into_iter().map(show).collect::<Vec<_>>().join(" "))
}

#[test]
fn matching() {
    for (template, uri, expected) in [
        ("test://template/{id}/data", "test://template/123/data", "id=123"),
        ("notes://{a}/{b}", "notes://x%20y/%C3%BC", "a=x y b=ü"),
        ("file:///{+path}", "file:///a/b.txt?x#y", "path=a/b.txt?x#y"),
        ("{+base}/x/{id}", "a/x/b/x/c", "base=a/x/b id=c"),
        ("{x,y}", "1,2", "x=1 y=2"),
        ("{x,y}", "1", "x=1"),
        ("{list*}", "a,b,c", "list=[a|b|c]"),
        ("a{#frag}", "a#x/y", "frag=x/y"),
        ("a{#frag}", "a", ""),
        ("X{.a,b}", "X.1.2", "a=1 b=2"),
        ("v{.ext}", "v.tar.gz", "ext=tar.gz"),
        ("a{/b,c}", "a/1/2", "b=1 c=2"),
        ("a{/b,c}", "a", ""),
        ("a{/b*}", "a/1/2/3", "b=[1|2|3]"),
        ("a{;x,y}", "a;y=2;x", "y=2 x="),
        ("s{?q,n}", "s?n=1&q=a%26b", "n=1 q=a&b"),
        ("s{?q,n}", "s", ""),
        ("s{?q*}", "s?q=1&q=2", "q=[1|2]"),
        ("s{?a}{&b}", "s?a=1&b=2", "a=1 b=2"),
        ("s?fixed=1{&b}", "s?fixed=1&b=2", "b=2"),
        ("{v:1}/{v}", "a/abc", "v=abc"),
        ("{v}/{v}", "a/a", "v=a"),
        ("日本/{x}", "日本/語", "x=語"),
        ("日本/{x}", "%E6%97%A5%E6%9C%AC/1", "x=1"),
        ("{a}{b}", "日本", "a=日 b=本"),
        ("same", "same", ""),
    ] {
        assert_eq!(matched(template, uri).as_deref(), Some(expected), "{template} {uri}");
    }
}

#[test]
fn lists_become_text_where_text_is_wanted() {
    let template = UriTemplate::parse("a{/b*}{?c}").unwrap();
    let expected = [("b", "1,2"), ("c", "x")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(template.match_uri("a/1/2?c=x"), Some(expected.into()));
}

#[test]
fn no_match() {
    for (template, uri) in [
        ("test://{id}/data", "test:///data"),
        ("test://{id}/data", "test://a/b/data"),
        ("test://{id}", "test://a?b"),
        ("s{?q}", "s?other=1"),
        ("s{?q}", "s?q=1&q=2"),
        ("{v}/{v}", "a/b"),
        ("{v:2}", "abc"),
        ("{v:1}/{v}", "b/abc"),
        ("{x}", "%FF"),
        ("same", "same "),
        ("", "x"),
    ] {
        assert_eq!(matched(template, uri), None, "{template} {uri}");
    }
    assert_eq!(matched("{+x}", &"a".repeat(MAX_URI_BYTES + 1)), None);
}

#[test]
fn hostile_templates_cost_their_size_only() {
    // With backtracking each of these takes longer than anyone lives.
    let many = "{+a}".repeat(MAX_VARIABLES);
    let uri = "a".repeat(MAX_URI_BYTES / 8);
    assert_eq!(matched(&format!("{many}!"), &uri), None);
    let dashes = (0..100).map(|n| format!("{{v{n}}}")).collect::<Vec<_>>().join("-");
    assert_eq!(matched(&format!("{dashes}-!"), &"-".repeat(MAX_URI_BYTES / 8)), None);
    let optional = "{/a,b,c,d}".repeat(32);
    assert_eq!(matched(&format!("{optional}!"), &"/x".repeat(1000)), None);
}

proptest! {
    #[test]
    fn what_is_expanded_is_matched(a in "\\PC{1,12}", b in "\\PC{1,12}", q in "\\PC{0,12}") {
        let template = UriTemplate::parse("x://{a}/y/{b}{?q}").unwrap();
        let uri = template.expand(|name| Some(match name { "a" => &*a, "b" => &*b, _ => &*q }.into()));
        let expected = [("a", a), ("b", b), ("q", q)].map(|(n, v)| (n.to_owned(), Value::Text(v)));
        prop_assert_eq!(template.matches(&uri), Some(expected.into()));
    }

    #[test]
    fn no_input_panics(template in "[a-c{}+#./;?&,*:0-9%é]{0,30}", uri in "[a-c+#./;?&,=%é]{0,30}") {
        if let Ok(template) = UriTemplate::parse(&template) {
            let _ = template.matches(&uri);
            template.expand(lookup);
        }
    }
}

#[test]
fn literals_match_their_own_expansion() {
    for text in ["50%{.x}", "%zz{x}", "é{x}"] {
        let template = UriTemplate::parse(text).unwrap();
        let uri = template.expand(|_| Some(Value::Text("v".to_owned())));
        assert!(template.matches(&uri).is_some(), "{text} and {uri}");
    }
}
