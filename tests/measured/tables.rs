//! Our own tables: end-to-end rows and kernels.

use simllm::import::measured::{Boundary, KernelShape, Status, load, read};

use crate::forms::usable;
use crate::shared;

const HEADER: &str = "id,source,hardware,gpus,engine,engine_version,model,weight_dtype,kv_dtype,kind,batch,prompt_len,gen_len,\
                      tp,pp,metric,value,quality,note";

#[test]
fn every_row_stays_in_its_place() {
    let text = format!(
        "{HEADER}\n\
         a,x,h100_80gb_sxm,2,vllm,0.6.1,org/m,bf16,,serving,8.0,1024,512,2,1,tpot_ms,11.5,A,\"load=low; lengths uniform\"\n\
         b,x,a100_40gb_sxm,1,trtllm,,org/m,fp16,fp16,static_batch,16,128,100,1,1,throughput_tok_s,800,B,\n\
         c,x,a40,1,llama.cpp,,org/m,q4_0,,llama_bench,1,512,128,1,1,prefill_tok_s,2048,B,n_batch=512\n\
         d,x,a40,1,llama.cpp,,org/m,q4_0,,llama_bench,1,512,128,1,1,decode_tok_s,50,B,\n\
         e,x,a40,1,llama.cpp,,org/m,q4_0,,llama_bench,,512,128,1,1,decode_tok_s,,B,\n\
         f,x,a40,1,llama.cpp,,org/m,q4_0,,llama_bench,1,512,128,1,1,watts,50,B,\n"
    );
    let reading = usable(&text);
    assert_eq!((reading.status, reading.runs.len()), (Status::Warn, 6));
    let row = |index: usize| reading.runs[index].row.as_deref().expect("a row");
    let mean = |index: usize| {
        let run = &reading.runs[index];
        (run.ttft_ms.mean, run.tpot_ms.mean, run.e2e_ms.mean)
    };
    assert_eq!(mean(0), (None, Some(11.5), None));
    assert_eq!(mean(1), (None, None, Some(2000.0)));
    assert_eq!(mean(2), (Some(250.0), None, None));
    assert_eq!(mean(3), (None, Some(20.0), None));
    assert_eq!((mean(4), row(4).value), ((None, None, None), None));
    assert_eq!((mean(5), row(5).metric.as_str(), row(5).value), ((None, None, None), "watts", Some(50.0)));
    assert_eq!((row(0).id.as_deref(), row(0).remark("load"), reading.runs[0].line), (Some("a"), Some("low"), 2));
    assert_eq!((reading.runs[0].boundary, reading.runs[1].boundary), (Boundary::Client, Boundary::Batch));
    assert_eq!(
        (reading.runs[0].tensor_parallel, row(0).gpus, row(1).kv_dtype.as_deref()),
        (Some(2), Some(2), Some("fp16"))
    );
}

#[test]
fn kernels_have_shapes_and_times() {
    let one = |text: &str| {
        let reading = read("x", text.as_bytes());
        assert_eq!((reading.status, reading.kernels.len()), (Status::Ok, 1), "{:?}", reading.messages);
        reading.kernels[0].clone()
    };
    let gemm = one("gpu,source,dtype,m,n,k,latency_ms\na100_sxm,aic,bfloat16,1,1536,12288,0.0355502\n");
    assert_eq!(gemm.shape, KernelShape::Gemm { m: 1.0, n: 1536.0, k: 12288.0 });
    let comm = one("num_gpus,bytes,us,gpu,op,src\n2,512,8.98,a100_sxm,all_gather,nccl-2.27.3\n");
    assert!((comm.time_ms - 0.00898).abs() < 1e-12);
    let decode = one(
        "gpu,fw,ver,kernel_source,batch_size,step,num_heads,num_key_value_heads,head_dim,window_size,kv_cache_dtype,latency_ms\n\
         a100_sxm,sglang,0.5.10,flash_attention,32,3,128,8,128,0.0,bfloat16,0.0231\n",
    );
    assert!(matches!(decode.shape, KernelShape::DecodeAttention { context: 4.0, kv_heads: 8.0, .. }));
    let mla = one("gpu,fw,ver,kernel_source,kv_cache_dtype,num_heads,batch_size,isl,step,latency_ms,op\n\
         a100_sxm,trtllm,1.0.0,default,fp8,64,256,1,15,0.056,mla_decode\n");
    assert!(matches!(mla.shape, KernelShape::LatentAttention { context: 16.0, decode: true, .. }));
    let bad = read("x", b"gpu,dtype,m,n,k,latency_ms\na,b,1,2,,0.5\n");
    assert_eq!(bad.status, Status::Refuse);
}

#[test]
fn the_whole_tables_are_read() {
    let counts = [("gemm", 5982), ("prefill", 3640), ("decode", 3510), ("comm", 2690), ("moe", 3900), ("mla", 3060)];
    for (name, count) in counts {
        let Some(path) = shared(&format!("kernels/{name}.csv")) else {
            eprintln!("skipped: no measured kernels beside the repository");
            return;
        };
        let reading = load(&path).expect("a table");
        assert_eq!((reading.status, reading.kernels.len()), (Status::Ok, count), "{name}: {:?}", reading.messages);
    }
    for (name, count) in [("dev", 1500), ("dev_all", 6167)] {
        let Some(path) = shared(&format!("e2e/{name}.csv")) else { return };
        let reading = load(&path).expect("a table");
        assert_eq!((reading.status, reading.runs.len()), (Status::Ok, count), "{name}: {:?}", reading.messages);
        assert!(reading.runs.iter().all(|run| run.row.as_ref().is_some_and(|row| row.value.is_some())));
    }
}
