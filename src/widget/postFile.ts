import { ChatFailure } from './transport'

/**
 * Sends a file as a request's body with XMLHttpRequest, the only way to get upload progress. Resolves with `data` of
 * the response.
 * Throws ChatFailure: `refused` with the server's message, `failed` with it if there is no space at the moment,
 * `offline` without a response or after `stop`.
 */
export function postFile<Data>(
  path: string,
  file: File,
  headers: Record<string, string>,
  onProgress: (share: number) => void,
  stop: AbortSignal,
): Promise<Data> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = () => reject(new ChatFailure('offline', 'The server did not answer'))
    request.open('POST', `${path}?${new URLSearchParams({ name: file.name.slice(-255) })}`)
    request.responseType = 'json'
    request.setRequestHeader('content-type', 'application/octet-stream')
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    request.addEventListener('load', () => {
      const { success, data } = (request.response ?? {}) as { success?: boolean; data?: unknown }
      if (success) return resolve(data as Data)
      const text = typeof data === 'string' ? data : (data as { message?: string } | undefined)?.message
      // a quota that is used up, a full disk: it may go well later
      const later = request.status === 429 || request.status === 507
      if (text === undefined || (request.status >= 500 && !later)) return fail()
      reject(new ChatFailure(later ? 'failed' : 'refused', text))
    })
    stop.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
