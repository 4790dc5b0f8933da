// Loaded before the app by benches: tells how long its event loop stood still at most since it was asked last, and how much time of a
// processor one stretch of work on it took at most: on a busy machine it stands still for others too. 0 where the system does not count that.
import { existsSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
delay.enable()

/** Linux: nanoseconds that the main thread has run */
const COUNTED = `/proc/self/task/${process.pid}/schedstat`
const ran = () => (existsSync(COUNTED) ? Number(readFileSync(COUNTED, 'utf8').split(' ')[0]) / 1e6 : 0)
let before = ran()
let held = 0
setInterval(() => {
  const now = ran()
  held = Math.max(held, now - before)
  before = now
}, RESOLUTION).unref()

process.on('message', (message) => {
  if (message !== 'gap') return
  process.send({ gap: delay.max / 1e6 - RESOLUTION, held })
  delay.reset()
  held = 0
})
process.channel?.unref()
