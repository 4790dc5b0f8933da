// What each crawler of the bench is measured by: it is forked with an address and a number of pages, and has a process of its own.
import { monitorEventLoopDelay } from 'node:perf_hooks'

export const [, , url, most] = process.argv

/** @param crawl finds the pages from `url` on. @returns their number */
export async function measure(crawl) {
  const idle = process.memoryUsage().rss
  const waits = monitorEventLoopDelay({ resolution: 1 })
  const spent = process.cpuUsage()
  const began = performance.now()
  waits.enable()
  const found = await crawl(url, Number(most))
  waits.disable()
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(spent)
  process.send({
    found,
    seconds,
    cpu: (user + system) / 1_000 / found,
    idle,
    peak: process.resourceUsage().maxRSS * 1_024,
    p99: waits.percentile(99) / 1e6,
    longest: waits.max / 1e6,
  })
}
