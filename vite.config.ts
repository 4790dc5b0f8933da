import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const source = resolve(import.meta.dirname, 'src')

/** The interface: the app (index.html) and the shared chat page (widget/chat.html). The server is built by server/cli/build.mjs. */
export default defineConfig({
  root: source,
  publicDir: false,
  plugins: [react({ exclude: [/src\/widget\//, /node_modules/] })],
  build: {
    outDir: resolve(import.meta.dirname, 'build/client'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2022',
    rollupOptions: { input: { app: resolve(source, 'index.html'), chat: resolve(source, 'widget/chat.html') } },
  },
})
