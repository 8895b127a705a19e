//! Bytes become text: encodings, terminal codes, and what is no text at all.

use super::Refusal;

/// Largest file accepted. A detailed result of 10,000 requests with 300 tokens each has 60 MB.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// A decoded file.
#[derive(Debug)]
pub(super) struct Decoded {
    pub text: String,
    /// What was done to it, for a note.
    pub notes: Vec<String>,
}

/// First bytes of what is no text: what it is, what to do.
const BINARY: &[(&[u8], &str, &str)] = &[
    (b"\x1f\x8b", "a gzip archive", "unpack it and give the file inside"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive", "unpack it and give the file inside"),
    (b"PK\x03\x04", "a zip archive or spreadsheet", "unpack it, or save the sheet as CSV"),
    (b"SQLite format 3", "an SQLite database", "export it: `nsys stats --format csv`, or the tool's own JSON"),
    (b"PAR1", "a Parquet file", "save it as CSV or JSON"),
    (b"\x89HDF", "an HDF5 file", "save it as CSV or JSON"),
    (b"\x89PNG", "a picture", "give the numbers behind it"),
    (b"%PDF", "a PDF document", "give the numbers behind it"),
    (b"GGUF", "a model (GGUF)", "give it with `--model`; this command reads measured results"),
    (b"NVPW", "a profiler report (ncu-rep)", "export it: `ncu --import FILE --csv`"),
    (b"version https://git-lfs", "a Git LFS pointer, not the file itself", "run `git lfs pull` and try again"),
];

/// Turns a file's bytes into clean text.
pub(super) fn decode(bytes: &[u8]) -> Result<Decoded, Refusal> {
    if bytes.len() > MAX_BYTES {
        let what = format!("the file has {} bytes; at most {MAX_BYTES} are read", bytes.len());
        return Err(Refusal::new(what, "give the summary that the tool writes, without per-request detail"));
    }
    if let Some((_, what, help)) = BINARY.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
        return Err(Refusal::new(format!("this is {what}"), *help));
    }
    let mut notes = Vec::new();
    let mut text = characters(bytes, &mut notes)?;
    if text.contains('\u{1b}') {
        text = without_escapes(&text);
        notes.push("terminal colour codes were removed".to_owned());
    }
    if text.contains('\r') {
        text = text.replace("\r\n", "\n").replace('\r', "\n");
    }
    if text.contains("Â±") {
        text = text.replace("Â±", "±");
        notes.push("damaged `±` signs were repaired (UTF-8 read as Latin-1)".to_owned());
    }
    if text.trim().is_empty() {
        return Err(Refusal::new("the file is empty", "did the benchmark finish? Run it again"));
    }
    Ok(Decoded { text, notes })
}

fn characters(bytes: &[u8], notes: &mut Vec<String>) -> Result<String, Refusal> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let nul_at = |parity: usize| bytes.iter().take(64).enumerate().any(|(i, b)| *b == 0 && i % 2 == parity);
    let (text, note) = match bytes {
        [0xff, 0xfe, rest @ ..] => (utf16(rest, u16::from_le_bytes), "UTF-16"),
        [0xfe, 0xff, rest @ ..] => (utf16(rest, u16::from_be_bytes), "UTF-16"),
        [0xef, 0xbb, 0xbf, rest @ ..] => return Ok(eight_bit(rest, notes)),
        _ if nul_at(1) && !nul_at(0) => (utf16(bytes, u16::from_le_bytes), "UTF-16 without mark"),
        _ if nul_at(0) && !nul_at(1) => (utf16(bytes, u16::from_be_bytes), "UTF-16 without mark"),
        _ if bytes.iter().take(4096).any(|b| matches!(b, 0..=6 | 14..=26)) => {
            return Err(Refusal::new("this is a binary file of an unknown kind", "give the tool's JSON, CSV or text"));
        }
        _ => return Ok(eight_bit(bytes, notes)),
    };
    notes.push(format!("the text is {note}"));
    Ok(text)
}

/// UTF-8, else Latin-1, which gives every byte a character.
fn eight_bit(bytes: &[u8], notes: &mut Vec<String>) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => {
            notes.push("the text is not UTF-8; read as Latin-1".to_owned());
            bytes.iter().map(|byte| char::from(*byte)).collect()
        }
    }
}

/// Words of a file made fit to be shown: one line, no control characters, at most `most` characters.
pub(super) fn short(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect()
}

/// Removes terminal control sequences (`ESC [ … letter`) and stray escapes.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\u{1b}' {
            out.push(c);
        } else if chars.next_if_eq(&'[').is_some() {
            while chars.next_if(|c| (' '..='?').contains(c)).is_some() {}
            chars.next_if(|c| ('@'..='~').contains(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        decode(bytes).expect("text").text
    }

    #[test]
    fn every_encoding_ends_as_the_same_text() {
        let word = "p50 ± 1";
        let le: Vec<u8> = word.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let be: Vec<u8> = word.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(word.as_bytes()), word);
        assert_eq!(text(&[b"\xef\xbb\xbf", word.as_bytes()].concat()), word);
        assert_eq!(text(&[b"\xff\xfe", &le[..]].concat()), word);
        assert_eq!(text(&[b"\xfe\xff", &be[..]].concat()), word);
        assert_eq!(text(&le), word);
        assert_eq!(text(b"p50 \xb1 1"), word);
        assert_eq!(text("p50 Â± 1".as_bytes()), word);
        assert_eq!(text(b"\x1b[2K\r\x1b[32m100%\x1b[0m\r\nx\x1b"), "\n100%\nx");
    }

    #[test]
    fn what_is_no_text_is_refused_with_a_next_step() {
        for (bytes, what) in
            [(&b""[..], "empty"), (b" \r\n", "empty"), (b"\x1f\x8b\x08", "gzip"), (b"ab\x01c", "binary")]
        {
            let refusal = decode(bytes).expect_err("no text");
            assert!(refusal.what.contains(what) && !refusal.help.is_empty(), "{refusal}");
        }
    }
}
