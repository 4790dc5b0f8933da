// A site with the candidates' lines in its page.
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { extname, join, normalize } from 'node:path'
import { gzipSync } from 'node:zlib'

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css', '.json': 'application/json' }

/** Words, a style and a picture, so that there is something to be painted late or moved. */
const page = (html) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour Lamps</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="description" content="Lamps for boats">
<style>body{font:16px/1.6 sans-serif;margin:0 auto;max-width:60rem;padding:2rem}img{width:100%;height:auto}</style></head>
<body><main><h1>Harbour Lamps</h1><img src="/lamp.svg" alt="A lamp" width="960" height="320">
${'<p>Lamps for boats, made by hand beside the harbour, and mended where they were made.</p>'.repeat(30)}</main>${html}</body></html>`
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 320"><rect width="960" height="320" fill="#134"/>
<circle cx="480" cy="160" r="90" fill="#fc6"/></svg>`

/** Its host is another site than 127.0.0.1. `show` says what stands in its page, and where /others/ lies. */
export async function serveSite() {
  let shown = { html: '', files: null }
  const server = http.createServer((request, response) => {
    const path = normalize(decodeURIComponent(request.url.split('?')[0]))
    const answer = (type, body) => {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-encoding': 'gzip' })
      response.end(gzipSync(body))
    }
    if (path === '/') return answer('text/html', page(shown.html))
    if (path === '/lamp.svg') return answer('image/svg+xml', picture)
    if (path === '/favicon.ico') return response.writeHead(204).end()
    try {
      if (!path.startsWith('/others/') || !shown.files) throw new Error('nothing')
      return answer(types[extname(path)] ?? 'text/plain', readFileSync(join(shown.files, path.slice('/others'.length))))
    } catch {
      return response.writeHead(404).end()
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://localhost:${server.address().port}`,
    show({ html, files = null }) {
      shown = { html, files }
    },
    close: () => server.close(),
  }
}
