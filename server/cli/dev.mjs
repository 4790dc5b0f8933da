// `npm run dev`: the interface with hot reload, and the server rebuilt and restarted at each change of its sources.
import { checkNode } from './checkNode.mjs'

if (checkNode()) await main()

async function main() {
  const { ensureInstalled } = await import('./prepare.mjs')
  ensureInstalled()
  const { join } = await import('node:path')
  const { build, createServer } = await import('vite')
  const { serverBuild } = await import('./build.mjs')
  const { freePort, superviseServer } = await import('./supervise.mjs')
  const { root } = await import('./sources.mjs')

  const host = process.env.HOST || '127.0.0.1'
  const port = Number(process.env.PORT || 3000)
  const api = await freePort()
  const server = superviseServer(join(root, 'build/dev/main.js'), {
    PORT: String(api),
    HOST: '127.0.0.1',
    PUBLIC_URL: process.env.PUBLIC_URL || `http://${host}:${port}`,
  })

  const target = `http://127.0.0.1:${api}`
  const vite = await createServer({
    configFile: join(root, 'vite.config.ts'),
    server: { host, port, strictPort: true, proxy: proxyTo(target) },
    plugins: [sharedPage()],
  })
  await vite.listen()

  const watcher = await build({
    ...serverBuild,
    build: { ...serverBuild.build, outDir: join(root, 'build/dev'), watch: {} },
  })
  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') server.restart()
    if (event.code === 'ERROR') console.error(event.error.message)
  })

  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, async () => {
      if (stopping) return
      stopping = true
      await Promise.all([watcher.close(), vite.close(), server.stop()])
      process.exit(0)
    })
  }
}

/** Paths that the server answers. The interface has source folders with these names, whose modules stay with Vite. */
function proxyTo(target) {
  const bypass = ({ url = '' }) => (/\.(tsx?|css|json)$/.test(url.split('?', 1)[0]) ? url : undefined)
  return { '/api/': { target, bypass }, '/collab/': { target, ws: true, bypass }, '/files/': { target } }
}

/** Every path below /c/ is a chatbot's shared page, as in the server. */
function sharedPage() {
  return {
    name: 'shared-page',
    configureServer(vite) {
      vite.middlewares.use((request, _, next) => {
        if (/^\/c\//.test(request.url ?? '')) request.url = '/widget/chat.html'
        next()
      })
    },
  }
}
