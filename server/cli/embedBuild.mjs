// Builds what pages of other sites load: the launcher, named by its hash, and /embed.js, which names the launcher.
import { join } from 'node:path'
import { build, minifySync } from 'vite'
import { root } from './sources.mjs'

const source = join(root, 'src/widget/embed')

/** Libraries are left readable by Vite; this one is loaded by every visitor of somebody's site. */
const small = {
  name: 'small',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      chunk.code = minifySync(chunk.fileName, chunk.code, { module: true }).code
  },
}
/** Style sheets stand in texts, which no tool makes smaller. */
const smallStyles = {
  name: 'small-styles',
  transform: (code, id) => (/[sS]tyles\.ts$/.test(id) ? code.replace(/\\n|\n(?=[.:@*[a-z])/g, '') : null),
}

/** @param outDir where the interface was built, or is to be served from */
export async function buildEmbed(outDir) {
  // as a library: what Vite adds to load styles ahead is as large as the launcher
  const bundle = async (entry, format, output, more = {}) => {
    const [{ output: files }] = await build({
      root: source,
      configFile: false,
      publicDir: false,
      logLevel: 'warn',
      plugins: [smallStyles, small],
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2022',
        lib: { entry: join(source, entry), formats: [format], name: 'ParleyLoader' },
        rollupOptions: { preserveEntrySignatures: 'allow-extension', output },
      },
      ...more,
    })
    return files[0].fileName
  }
  const launcher = await bundle('launcher.ts', 'es', {
    entryFileNames: 'assets/launcher-[hash].js',
    chunkFileNames: 'assets/embed-[hash].js',
  })
  const define = { LAUNCHER: JSON.stringify(`/${launcher}`) }
  await bundle('loader.ts', 'iife', { entryFileNames: 'embed.js' }, { define })
}
