/** How a video is played: a file by the browser, a page of a video site by that site's player. */
export type VideoSource = { kind: 'file' } | { kind: 'youtube' | 'vimeo'; id: string; embedUrl: string }

const YOUTUBE =
  /^https?:\/\/(?:(?:www\.|m\.|music\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:[^#]*&)?v=|embed\/|shorts\/|live\/|v\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i
const VIMEO =
  /^https?:\/\/(?:www\.)?vimeo\.com\/(?:channels\/[\w-]+\/|groups\/[\w-]+\/videos\/|album\/\d+\/video\/|showcase\/\d+\/video\/)?(\d{1,12})(?:\/([\da-f]{6,20}))?(?=[/?#]|$)|^https?:\/\/player\.vimeo\.com\/video\/(\d{1,12})(?=[/?#]|$)/i

/**
 * Recognises YouTube and Vimeo pages; any other address is a video file. Player addresses are built on the sites' own
 * hosts, with nothing of the given address but the video's id, its private key and the start time.
 */
export function videoSource(url: string): VideoSource {
  const [, video] = YOUTUBE.exec(url) ?? []
  if (video !== undefined) {
    const start = startOf(url)
    const query = start === 0 ? '' : `?start=${start}`
    return { kind: 'youtube', id: video, embedUrl: `https://www.youtube-nocookie.com/embed/${video}${query}` }
  }
  const [, page, key, player] = VIMEO.exec(url) ?? []
  const id = page ?? player
  if (id !== undefined) {
    const secret = key ?? /[?&]h=([\da-f]{6,20})(?=[&#]|$)/i.exec(url)?.[1]
    const query = secret === undefined ? '' : `?h=${secret}`
    return { kind: 'vimeo', id, embedUrl: `https://player.vimeo.com/video/${id}${query}` }
  }
  return { kind: 'file' }
}

/** Seconds of `t=90`, `t=1m30s`, `start=90`. */
function startOf(url: string): number {
  const [, text = ''] = /[?&#](?:t|start)=([\dhms]{1,12})(?=[&#]|$)/i.exec(url) ?? []
  if (/^\d+$/.test(text)) return Number(text)
  const [, hours = 0, minutes = 0, seconds = 0] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/i.exec(text) ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
