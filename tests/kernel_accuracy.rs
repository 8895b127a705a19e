//! The kernel models against measured kernels: the same errors as the reference, to 0.1 points.
//!
//! The measurements are not part of the repository. They are looked for in `$SIMLLM_SHARED_DATA/kernels` and in
//! `../shared/data/kernels`; without them the test says so and passes. `cargo test --test kernel_accuracy -- --nocapture`
//! prints the table.

use std::collections::BTreeMap;
use std::path::PathBuf;

use simllm::catalog;
use simllm::cost::gemm::{Memory, Request};
use simllm::cost::{attention, collective, gemm};
use simllm::kernel::{AllReduce, DecodeAttention, PrefillAttention};
use simllm::machine::AttentionCoefficients;
use simllm::spec::CostingClass;

mod support;

type Row = BTreeMap<String, String>;

/// Median, mean and 90th percentile of the absolute error over all rows, percent.
const REFERENCE: [(&str, [f64; 3], usize); 4] = [
    ("gemm", [6.2, 9.4, 21.5], 5982),
    ("prefill", [8.0, 13.8, 29.0], 3640),
    ("decode", [8.6, 14.3, 32.2], 3510),
    ("comm", [4.4, 7.1, 16.0], 2690),
];

fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("SIMLLM_SHARED_DATA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    [given, Some(beside)].into_iter().flatten().map(|root| root.join("kernels")).find(|path| path.is_dir())
}

fn number(row: &Row, key: &str) -> f64 {
    row[key].parse().unwrap_or_else(|_| panic!("{key} is {}", row[key]))
}

fn whole(row: &Row, key: &str) -> f64 {
    number(row, key).trunc()
}

fn predict(table: &str, row: &Row) -> Option<f64> {
    let gpu = row["gpu"].as_str();
    let set = catalog::calibration(gpu)?;
    match table {
        "gemm" => {
            let gemm = set.gemm.as_ref()?;
            let (name, element_bytes, quantises_activations) = support::format(&row["dtype"]);
            let (_, fit) = gemm.formats.iter().find(|(format, _)| format == name)?;
            let (_, tiles) = catalog::defaults().tile_sets.iter().find(|(tile_set, _)| *tile_set == fit.tiles)?;
            let request = Request {
                shape: (whole(row, "m"), whole(row, "n"), whole(row, "k")),
                element_bytes,
                tflops: support::tflops(&gemm.peaks, name),
                peaks: &gemm.peaks,
                fit,
                tiles,
                memory: Memory::BenchLoop,
                quantises_activations,
            };
            Some(gemm::price(&request).total_us / 1e3)
        }
        "prefill" | "decode" => attention_ms(table, row, gpu),
        "comm" => collective_us(row, gpu),
        other => panic!("no table {other}"),
    }
}

fn attention_ms(table: &str, row: &Row, gpu: &str) -> Option<f64> {
    let set = catalog::calibration(gpu)?.attention.as_ref()?;
    let family = |name: &str| name == row["fw"];
    let prefill = set.prefill.iter().find(|(name, _)| family(name)).map(|(_, c)| *c);
    let decode = set.decode.iter().find(|(name, _)| family(name)).map(|(_, c)| *c);
    let fallback = &catalog::defaults().hbm;
    let costs = AttentionCoefficients {
        peaks: set.peaks,
        set: None,
        class: CostingClass::Calibrated,
        prefill: if table == "prefill" { prefill? } else { fallback.0 },
        decode: if table == "decode" { decode? } else { fallback.1 },
    };
    let kv_bytes = if row["kv_cache_dtype"].contains("fp8") { 1.0 } else { 2.0 };
    let (sequences, heads) = (whole(row, "batch_size"), whole(row, "num_heads"));
    let (kv_heads, head_dim) = (whole(row, "num_key_value_heads"), whole(row, "head_dim"));
    let window = whole(row, "window_size");
    Some(if table == "prefill" {
        let tokens = whole(row, "isl");
        let kernel = PrefillAttention { sequences, tokens, heads, kv_heads, head_dim, prefix: 0.0, window, kv_bytes };
        attention::prefill(&kernel, &costs).ms()
    } else {
        let context = whole(row, "step") + 1.0;
        let kernel = DecodeAttention {
            sequences,
            context,
            heads,
            kv_heads,
            head_dim,
            window,
            selected: f64::INFINITY,
            kv_bytes,
        };
        attention::decode(&kernel, &costs, false).ms()
    })
}

fn collective_us(row: &Row, gpu: &str) -> Option<f64> {
    let set = &catalog::calibration(gpu)?.collective;
    let (ranks, bytes, op) = (whole(row, "num_gpus"), whole(row, "bytes"), row["op"].as_str());
    let family = row["src"].split('-').next()?;
    let nccl = |op: &str| set.nccl.iter().find(|(name, _)| name == op).map(|(_, c)| *c);
    if family == "nccl" {
        return Some(collective::nccl_us(ranks, support::wire_share(op, ranks) * bytes, &nccl(op)?));
    }
    let (_, (own, beside)) = set.all_reduce.iter().find(|(name, _)| name == family)?;
    Some(collective::framework_us(&AllReduce { ranks, bytes }, own, &beside.or(nccl("all_reduce"))?))
}

/// Sorted absolute errors in percent.
fn errors(table: &str, path: PathBuf) -> Vec<f64> {
    let mut reader = csv::Reader::from_path(path).expect("a measured table");
    let rows = reader.deserialize::<Row>().collect::<Result<Vec<_>, _>>().expect("rows");
    let measured = match table {
        "comm" => "us",
        _ => "latency_ms",
    };
    let mut errors: Vec<f64> = rows
        .iter()
        .filter_map(|row| Some((predict(table, row)? / number(row, measured) - 1.0).abs() * 100.0))
        .collect();
    errors.sort_by(f64::total_cmp);
    errors
}

#[test]
fn errors_equal_the_reference() {
    let Some(folder) = folder() else {
        eprintln!("skipped: no measured kernels beside the repository");
        return;
    };
    println!("table    median   mean    P90      n");
    for (table, reference, count) in REFERENCE {
        let errors = errors(table, folder.join(format!("{table}.csv")));
        let n = errors.len();
        let middle = (errors[n / 2] + errors[(n - 1) / 2]) / 2.0;
        let mean = errors.iter().sum::<f64>() / n as f64;
        let ours = [middle, mean, errors[(0.9 * (n - 1) as f64) as usize]];
        println!("{table:8} {:6.1} {:6.1} {:6.1} {n:6}", ours[0], ours[1], ours[2]);
        assert_eq!(n, count, "{table}");
        for (ours, reference) in ours.into_iter().zip(reference) {
            assert!((ours - reference).abs() <= 0.1, "{table}: {ours} against {reference}");
        }
    }
}
