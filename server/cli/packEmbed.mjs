// `npm run build -- embed`: packs the npm package @parley/embed into build/embed.
import { execFileSync } from 'node:child_process'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './sources.mjs'

const source = join(root, 'src/widget/package')

/** @returns the tarball's path */
export async function packEmbed(outDir = join(root, 'build/embed')) {
  const folder = join(outDir, 'package')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const entry = Object.fromEntries(['index', 'react', 'vue'].map((name) => [name, join(source, `${name}.ts`)]))
  await build({
    root: source,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rollupOptions: {
        external: ['react', 'vue'],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
  const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  node(join(root, 'node_modules/typescript/bin/tsc'), '-p', source, '--outDir', join(folder, 'types'))
  for (const file of ['package.json', 'README.md']) await cp(join(source, file), join(folder, file))
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const packed = execFileSync(npm, ['pack', '--json', '--ignore-scripts', '--pack-destination', outDir], {
    cwd: folder,
  })
  return join(outDir, JSON.parse(packed.toString())[0].filename)
}
