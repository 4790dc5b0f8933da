// Learns the weights of the built-in model and of "I don't know" anew, and prints them: node tests/bench/retrieval/train.mjs
import { join } from 'node:path'
import { runnerImport } from 'vite'

const { module: training } = await runnerImport(join(import.meta.dirname, 'training.ts'))
await training.train()
