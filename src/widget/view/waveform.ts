/** Most bytes of a recording whose shape is drawn: decoding takes ten times as much memory. */
const MOST_BYTES = 4_000_000
/** Samples of each bar that are looked at. */
const LOOKS = 400

/**
 * Computes a recording's waveform as heights from 0 to 1, one per bar. Null if that is impossible: another origin
 * forbids it, the file is too large, or the browser can't decode it. Decoding runs outside the page's main thread.
 */
export async function readWaveform(url: string, bars: number, signal: AbortSignal): Promise<number[] | null> {
  try {
    const response = await fetch(url, { signal, credentials: 'omit' })
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > MOST_BYTES) return null
    const bytes = await boundedBody(response)
    if (!bytes) return null
    const decoded = await new OfflineAudioContext(1, 1, 22_050).decodeAudioData(bytes)
    return peaksOf(decoded.getChannelData(0), bars)
  } catch {
    return null
  }
}

async function boundedBody(response: Response): Promise<ArrayBuffer | null> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = response.body?.getReader()
  if (!reader) return null
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length
    if (size > MOST_BYTES) {
      await reader.cancel()
      return null
    }
    parts.push(part.value)
  }
  return new Blob(parts).arrayBuffer()
}

/**
 * The peak of each part relative to the overall peak. Samples are skipped, so that a long recording takes no longer.
 */
export function peaksOf(samples: Float32Array, bars: number): number[] {
  const length = samples.length / bars
  const peaks = Array.from({ length: bars }, (_, bar) => {
    const step = Math.max(1, Math.floor(length / LOOKS))
    let peak = 0
    for (let at = Math.floor(bar * length); at < (bar + 1) * length; at += step)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0))
    return peak
  })
  const loudest = Math.max(...peaks, 0.0001)
  return peaks.map((peak) => peak / loudest)
}
