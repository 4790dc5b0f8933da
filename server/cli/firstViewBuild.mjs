// Builds the program that draws the chat on the server: what the browser draws at first, by the same components.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './sources.mjs'

/** @param outDir beside the folder of the interface, which is served: `../firstView` seen from there */
export const buildFirstView = (outDir) =>
  build({
    // the names of classes follow from the styles, as in the page itself
    root: join(root, 'src'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: join(root, 'src/widget/firstView.tsx'),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'firstView.js', chunkFileNames: '[name]-[hash].js' } },
    },
  })
