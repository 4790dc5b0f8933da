// Learns the weights of the built-in model and of "I don't know" anew, and prints them: node tests/bench/retrieval/train.mjs [evidence]
import { join } from 'node:path'
import { createServer } from 'vite'

const server = await createServer({
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, ws: false },
})
try {
  const training = await server.ssrLoadModule(join(import.meta.dirname, 'training.ts'))
  await training.train(process.argv[2])
} finally {
  await server.close()
}
