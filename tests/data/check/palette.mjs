#!/usr/bin/env node
// Palette + contrast validator. `node palette.mjs` checks static/tokens.json; `--search` re-derives the stage palette.
import fs from 'node:fs';
const lin=c=>{c/=255;return c<=.04045?c/12.92:((c+.055)/1.055)**2.4};
const hex=h=>[1,3,5].map(i=>parseInt(h.slice(i,i+2),16));
const L=h=>{const[r,g,b]=hex(h).map(lin);return .2126*r+.7152*g+.0722*b};
export const contrast=(a,b)=>{const x=L(a),y=L(b);return(Math.max(x,y)+.05)/(Math.min(x,y)+.05)};
const oklab=([r,g,b])=>{const l=Math.cbrt(.4122214708*r+.5363325363*g+.0514459929*b),m=Math.cbrt(.2119034982*r+.6806995451*g+.1073969566*b),s=Math.cbrt(.0883024619*r+.2817188376*g+.6299787005*b);
 return[.2104542553*l+.793617785*m-.0040720468*s,1.9779984951*l-2.428592205*m+.4505937099*s,.0259040371*l+.7827717662*m-.808675766*s]};
const M={normal:[1,0,0,0,1,0,0,0,1],protan:[.152286,1.052583,-.204868,.114503,.786281,.099216,-.003882,-.048116,1.051998],deutan:[.367322,.860646,-.227968,.280085,.672501,.047413,-.01182,.04294,.968881],tritan:[1.255528,-.076749,-.178779,-.078411,.930809,.147602,.004733,.691367,.3039]};
const sim=(v,m)=>[0,3,6].map(i=>Math.min(1,Math.max(0,m[i]*v[0]+m[i+1]*v[1]+m[i+2]*v[2])));
export const minDE=(list,adj)=>{let w={d:9};for(const k in M){const p=list.map(h=>oklab(sim(hex(h).map(lin),M[k])));
 for(let i=0;i<p.length;i++)for(let j=i+1;j<p.length;j++){const d=Math.hypot(p[i][0]-p[j][0],p[i][1]-p[j][1],p[i][2]-p[j][2])*((adj&&j-i===1)?.8:1);if(d<w.d)w={d,k,i,j}}}return w};
const toHex=(Lk,C,H)=>{const a=C*Math.cos(H*Math.PI/180),b=C*Math.sin(H*Math.PI/180),l=(Lk+.3963377774*a+.2158037573*b)**3,m=(Lk-.1055613458*a-.0638541728*b)**3,s=(Lk-.0894841775*a-1.291485548*b)**3;
 const v=[4.0767416621*l-3.3077115913*m+.2309699292*s,-1.2684380046*l+2.6097574011*m-.3413193965*s,-.0041960863*l-.7034186147*m+1.707614701*s];
 if(v.some(x=>x<-.001||x>1.001))return null;return'#'+v.map(x=>{x=Math.min(1,Math.max(0,x));x=x<=.0031308?12.92*x:1.055*x**(1/2.4)-.055;return Math.round(x*255).toString(16).padStart(2,'0')}).join('')};
if(process.argv.includes('--search')){
 // order: host, pcie, attention, ffn, norm, kv, logits, sampling ; hue anchors keep names memorable
 const hues=[255,55,258,165,310,5,95,230],chroma=[.025,.15,.19,.11,.2,.19,.11,.1];
 const RL=[[.5,.62],[.5,.67],[.46,.58],[.52,.63],[.38,.6],[.36,.58],[.58,.69],[.3,.67]],RD=[[.6,.75],[.66,.82],[.58,.72],[.72,.84],[.66,.82],[.55,.72],[.82,.92],[.85,.95]];
 for(const[mode,bgs,R]of[['light',['#ffffff','#f6f7f9','#eef1f4'],RL],['dark',['#0e1116','#161b22','#1d232c'],RD]]){
  let seed=7;const rnd=()=>(seed=(seed*1103515245+12345)%2147483648)/2147483648;let best=null,bd=-1;
  const mk=(s)=>s.map(([l,c,h])=>toHex(l,c,h));
  const score=c=>c.some(x=>!x)||c.some(x=>bgs.some(b=>contrast(x,b)<3.05))?-1:minDE(c,true).d;
  for(let r=0;r<40;r++){let s=hues.map((h,i)=>[R[i][0]+rnd()*(R[i][1]-R[i][0]),chroma[i]*(.6+.5*rnd()),h+(rnd()-.5)*30]),d=score(mk(s));
   for(let t=0;t<4000;t++){const n=s.map(x=>[...x]);const i=Math.floor(rnd()*8);n[i][0]=Math.min(R[i][1],Math.max(R[i][0],n[i][0]+(rnd()-.5)*.12));n[i][1]=i?Math.max(.06,n[i][1]+(rnd()-.5)*.05):Math.min(.04,Math.max(.01,n[i][1]+(rnd()-.5)*.02));n[i][2]=Math.min(hues[i]+25,Math.max(hues[i]-25,n[i][2]+(rnd()-.5)*16));const e=score(mk(n));if(e>=d){s=n;d=e}}
   if(d>bd){bd=d;best=mk(s)}}
  console.log(mode,bd.toFixed(4),JSON.stringify(best),best.map(h=>bgs.map(b=>contrast(h,b).toFixed(1)).join('/')).join(' '));}
 process.exit()}
const T=JSON.parse(fs.readFileSync(new URL('../../../static/tokens.json',import.meta.url)));let bad=0;
for(const mode of['light','dark']){const t=T[mode];
 for(const[f,bgs,min]of T.rules){for(const b of bgs){const r=contrast(t[f],t[b]);if(r<min){bad++;console.log('FAIL',mode,f,'on',b,r.toFixed(2),'<',min)}}}
 const st=T.stages.map(s=>t['s-'+s]);for(const[i,c]of st.entries())for(const b of['bg','surface','surface-2']){const r=contrast(c,t[b]);if(r<3){bad++;console.log('FAIL',mode,'stage',T.stages[i],'on',b,r.toFixed(2))}}
 const w=minDE(st);console.log(mode,'stage palette: worst pair',T.stages[w.i],'/',T.stages[w.j],'under',w.k,'OKLab dE',w.d.toFixed(3));if(w.d<.06){bad++;console.log('FAIL palette separation < 0.06')}}
console.log(bad?bad+' failures':'all contrast rules pass');process.exit(bad?1:0);
