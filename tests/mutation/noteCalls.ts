import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'

// Before each test file: from here to its end V8 counts calls. What was called, by file and name of function, is one line of NOTE_CALLS.

declare global {
  var callCounts: Promise<Session> | undefined
}

globalThis.callCounts ??= countCalls()
const session = await globalThis.callCounts
await session.post('Profiler.takePreciseCoverage')
const began = performance.now()

async function countCalls(): Promise<Session> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return session
}

afterAll(async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called: Record<string, string[]> = {}
  for (const { url, functions } of result) {
    const path = relative(process.cwd(), url.startsWith('file:') ? fileURLToPath(url) : url)
    if (path.startsWith('..') || path.includes('node_modules') || !/\.tsx?$/.test(path)) continue
    const names = functions
      .filter(({ ranges }) => ranges[0] && ranges[0].count > 0)
      .map(({ functionName }) => functionName)
    if (names.length > 0) called[path] = [...new Set(names)]
  }
  const test = relative(process.cwd(), expect.getState().testPath ?? '')
  appendFileSync(
    process.env.NOTE_CALLS ?? '',
    `${JSON.stringify({ test, seconds: (performance.now() - began) / 1000, called })}\n`,
  )
})
