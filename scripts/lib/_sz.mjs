import {build} from 'esbuild';
import {SMALLER, minifyMore} from './smaller.mjs';
const r = await build({entryPoints:['packages/capture/src/script.ts'],bundle:true,write:false,format:'iife',target:'es2022',minify:true,charset:'utf8',legalComments:'none',define:{VERSION:'"0.1.0"'},metafile:true,absWorkingDir:process.cwd(),...SMALLER,inject:['packages/capture/src/globals.ts']});
const o = Object.values(r.metafile.outputs)[0];
for (const [k,v] of Object.entries(o.inputs).sort((a,b)=>b[1].bytesInOutput-a[1].bytesInOutput)) console.log(v.bytesInOutput, k);
const m = await minifyMore(r.outputFiles[0].text);
console.log(o.bytes, m.length);
if (process.argv[2]) (await import('node:fs')).writeFileSync(process.argv[2], m);
