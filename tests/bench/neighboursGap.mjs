// Loaded before the app by neighbours.bench.mjs: tells how long its event loop stood still at most since it was asked last.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
delay.enable()
process.on('message', (message) => {
  if (message !== 'gap') return
  process.send(delay.max / 1e6 - RESOLUTION)
  delay.reset()
})
process.channel?.unref()
