import { parentPort, workerData } from 'node:worker_threads'
import { extractPdf } from './extractPdf'

/** The thread of readPdf.ts: a program of its own in the build. It reads one document and ends. */
extractPdf(workerData as Uint8Array).then((read) => parentPort?.postMessage(read))
