//! The names that tools have in a host of several servers.
//!
//! Owns: which tool a name stands for, and that it never stands for two. Must not know: how a
//! server is reached, or what a tool does.

use std::collections::{BTreeMap, HashMap};

/// The names of all tools of a host's servers.
///
/// A tool keeps its name unless another server has one of that name, or the name is that of
/// another tool with its server's in front: then it has its server's name in front itself. So
/// nothing that a server calls its tools takes a name away from another server's. What is the same
/// even then is left out, for the model's arguments could go to the wrong server. So is a tool that
/// its server lists twice, but for the first.
///
/// ```
/// use mcpbolt_proto::policy::host_names::HostNames;
///
/// let servers = [("new", vec!["git_status"]), ("git", vec!["status", "log"]), ("svn", vec!["status"])];
/// let names = HostNames::of(servers);
/// assert_eq!(names.of_server(0), [Some("new_git_status".to_owned())]);
/// assert_eq!(names.of_server(1), [Some("git_status".to_owned()), Some("log".to_owned())]);
///
/// let alike = HostNames::of([("a", vec!["b_c", "c"]), ("a_b", vec!["c", "b_c"])]);
/// assert_eq!(alike.of_server(0), [None, Some("a_c".to_owned())]);
/// assert!(alike.refusal("a_b_c").unwrap().contains("a and a_b"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostNames {
    names: Vec<Vec<Option<String>>>,
    /// The servers of names that stand for no tool because they would for several.
    shared: BTreeMap<String, Vec<String>>,
}

/// One tool.
struct Listed<'a> {
    server: usize,
    at: usize,
    name: &'a str,
}

impl HostNames {
    /// Of these servers, each with the names of its tools, in any order.
    pub fn of<'a>(servers: impl IntoIterator<Item = (&'a str, Vec<&'a str>)>) -> Self {
        let servers: Vec<_> = servers.into_iter().collect();
        let mut tools: Vec<Listed<'_>> = Vec::new();
        let mut uses: HashMap<&str, Vec<usize>> = HashMap::new();
        for (server, (_, names)) in servers.iter().enumerate() {
            for (at, &name) in names.iter().enumerate() {
                let all = uses.entry(name).or_default();
                if all.last().is_none_or(|&last| tools[last].server != server) {
                    all.push(tools.len());
                    tools.push(Listed { server, at, name });
                }
            }
        }
        let mut prefixed: Vec<Option<String>> = tools.iter().map(|_| None).collect();
        let mut due: Vec<usize> = uses.values().filter(|all| all.len() > 1).flatten().copied().collect();
        while let Some(tool) = due.pop() {
            let Listed { server, name, .. } = tools[tool];
            let full = format!("{}_{name}", servers[server].0);
            // Where several have that name, they are due already.
            if let Some([other]) = uses.get(full.as_str()).map(Vec::as_slice)
                && prefixed[*other].is_none()
            {
                due.push(*other);
            }
            prefixed[tool] = Some(full);
        }
        let mut names: Vec<Vec<_>> = servers.iter().map(|(_, names)| vec![None; names.len()]).collect();
        let mut holders: BTreeMap<String, Vec<&Listed<'_>>> = BTreeMap::new();
        for (tool, full) in tools.iter().zip(prefixed) {
            holders.entry(full.unwrap_or_else(|| tool.name.to_owned())).or_default().push(tool);
        }
        let mut shared = BTreeMap::new();
        for (name, tools) in holders {
            if let [tool] = tools[..] {
                names[tool.server][tool.at] = Some(name);
            } else {
                shared.insert(name, tools.iter().map(|tool| servers[tool.server].0.to_owned()).collect());
            }
        }
        Self { names, shared }
    }

    /// The names of the tools of the server at this place, each at the place of its tool; `None` for
    /// a tool that is left out.
    pub fn of_server(&self, at: usize) -> &[Option<String>] {
        self.names.get(at).map_or(&[], Vec::as_slice)
    }

    /// Why a name stands for no tool, if several servers have one that would be called so.
    pub fn refusal(&self, name: &str) -> Option<String> {
        Some(words(name, self.shared.get(name)?))
    }

    /// All names that stand for no tool, with why.
    pub fn refusals(&self) -> impl Iterator<Item = (&str, String)> {
        self.shared.iter().map(|(name, servers)| (name.as_str(), words(name, servers)))
    }
}

fn words(name: &str, servers: &[String]) -> String {
    let servers = servers.join(" and ");
    format!(
        "the servers {servers} both have a tool that would be {name} here, so neither is called: \
         give one of these servers another name"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(servers: &[(&'static str, &[&'static str])]) -> Vec<Vec<Option<String>>> {
        HostNames::of(servers.iter().map(|(server, tools)| (*server, tools.to_vec()))).names
    }

    #[test]
    fn a_name_that_nobody_shares_stays() {
        assert_eq!(names(&[("a", &["x"]), ("b", &["y"])]), [[Some("x".to_owned())], [Some("y".to_owned())]]);
        assert!(names(&[]).is_empty());
    }

    #[test]
    fn giving_way_goes_on_until_no_name_is_there_twice() {
        // The prefix of one tool is the name of the next, and so on.
        let all = names(&[("e", &["e_a_x", "a_x"]), ("a", &["x"]), ("b", &["x"])]);
        let told = |name: &str| Some(name.to_owned());
        assert_eq!(all[0], [told("e_e_a_x"), told("e_a_x")]);
        assert_eq!((&all[1][0], &all[2][0]), (&told("a_x"), &told("b_x")));
    }

    #[test]
    fn many_tools_of_one_name_are_not_many_times_the_work() {
        let tools: Vec<String> = (0..20_000).map(|tool| format!("t{tool}")).collect();
        let list: Vec<&str> = tools.iter().map(String::as_str).collect();
        let all = HostNames::of([("a", list.clone()), ("b", list)]);
        assert_eq!(all.of_server(1)[19_999].as_deref(), Some("b_t19999"));
    }
}
