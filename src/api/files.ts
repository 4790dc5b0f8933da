import i18next from 'i18next'
import { type Medium, mediaCaps } from '../../engine/values/mediaFile'
import { uploadFile as route } from '../../server/contracts/files'
import { formatBytes } from '../i18n/format'
import { callRoute } from './client'
import { ApiFailure } from './failure'

const NAME_CAP = 255

interface UploadOptions {
  onProgress: (part: number) => void
  signal: AbortSignal
  /** a picture that is shown as a small circle */
  avatar?: boolean
}

/**
 * Uploads an image, a video, a sound or a document to the project and returns its address. Throws ApiFailure, and the
 * signal's reason.
 */
export async function uploadFile(
  pgid: string,
  file: File,
  medium: Medium,
  { onProgress, signal, avatar = false }: UploadOptions,
): Promise<string> {
  const cap = mediaCaps[medium]
  if (file.size > cap)
    throw new ApiFailure(i18next.t(`text:upload.${medium}.tooLarge`, { size: formatBytes(cap) }), { code: 'too_large' })
  const query = { name: file.name.slice(-NAME_CAP), medium, use: avatar ? ('avatar' as const) : ('message' as const) }
  const { file: stored } = await callRoute(route, {
    params: { pgid },
    query,
    file: { content: file, onProgress },
    signal,
  })
  return stored.url
}
