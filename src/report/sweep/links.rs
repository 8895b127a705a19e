//! Addresses of files beside the page.

/// A file beside the page as an address: whatever its name is, it leads nowhere else.
pub(super) fn beside(name: &str) -> String {
    let mut out = String::from("./");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn no_name_leads_elsewhere() {
        assert_eq!(beside("llama-3-8b-best.html"), "./llama-3-8b-best.html");
        assert_eq!(beside("javascript:alert(1)"), "./javascript%3Aalert%281%29");
        assert_eq!(beside("//host/a b#c?d%e"), "./%2F%2Fhost%2Fa%20b%23c%3Fd%25e");
        assert_eq!(beside("测.html"), "./%E6%B5%8B.html");
    }
}
