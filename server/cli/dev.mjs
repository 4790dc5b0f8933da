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
    plugins: [visitorsPages()],
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
  return {
    '/api/': { target, bypass },
    '/collab/': { target, ws: true, bypass },
    '/files/': { target },
    '/docs': { target },
  }
}

/**
 * Every path below /c/ is a chatbot's shared page, and below /embed/ the same in a frame, as in the server. What pages
 * of other sites load is built when they ask for it.
 */
function visitorsPages() {
  return {
    name: 'visitors-pages',
    configureServer(vite) {
      vite.middlewares.use(async (request, response, next) => {
        const path = (request.url ?? '').split('?', 1)[0]
        // the page names its module beside itself
        if (/^\/(c|embed)\//.test(path))
          request.url = path.endsWith('/chat.ts') ? '/widget/chat.ts' : '/widget/chat.html'
        if (path !== '/embed.js' && !/^\/assets\/(launcher|embed)-[\w-]+\.js$/.test(path)) return next()
        const [{ join }, { readFile }] = await Promise.all([import('node:path'), import('node:fs/promises')])
        const { root } = await import('./sources.mjs')
        const folder = join(root, 'build/dev-embed')
        try {
          if (path === '/embed.js') await (await import('./embedBuild.mjs')).buildEmbed(folder)
          const headers = {
            'content-type': 'text/javascript',
            'access-control-allow-origin': '*',
            'cache-control': 'no-store',
          }
          response.writeHead(200, headers).end(await readFile(join(folder, path)))
        } catch (error) {
          next(error)
        }
      })
    },
  }
}
