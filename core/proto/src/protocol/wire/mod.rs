//! TEMPORARY STUB: the owner of this file replaces it.
use crate::jsonrpc::RawJson;
use crate::protocol::Revision;
/// t
#[derive(Debug,Clone,Copy,PartialEq,Eq)]
pub enum CacheScope { /// a
 Public, /// b
 Private }
/// t
#[derive(Debug,Clone,Copy,PartialEq,Eq)]
pub struct CacheHint { /// a
 pub ttl_ms: u64, /// b
 pub scope: CacheScope }
/// t
#[derive(Debug,Clone,Default)]
pub struct ResultExtras { /// a
 pub server_info: Option<RawJson>, /// b
 pub cache: Option<CacheHint> }
/// t
pub fn encode_result(_: Revision, _: &str, v: RawJson, _: &ResultExtras) -> RawJson { v }
/// t
pub fn encode_input_required(_: &[(String,String,Option<RawJson>)], _: Option<&str>, _: &ResultExtras) -> RawJson { RawJson::null() }
