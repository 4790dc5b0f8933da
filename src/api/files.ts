import i18next from 'i18next'
import { IMAGE_CAP } from '../../engine/values/imageFile'
import { uploadImage as route } from '../../server/api/files/contract'
import { formatBytes } from '../i18n/format'
import { callRoute } from './client'
import { ApiFailure } from './failure'

const NAME_CAP = 255

/** Puts an image into the project and gives its address. Throws ApiFailure, and the signal's reason when it was aborted. */
export async function uploadImage(
  pgid: string,
  file: File,
  { onProgress, signal }: { onProgress: (part: number) => void; signal: AbortSignal },
): Promise<string> {
  if (file.size > IMAGE_CAP)
    throw new ApiFailure(i18next.t('text:upload.tooLarge', { size: formatBytes(IMAGE_CAP) }), { code: 'too_large' })
  const query = { name: file.name.slice(-NAME_CAP) }
  const { file: stored } = await callRoute(route, {
    params: { pgid },
    query,
    file: { content: file, onProgress },
    signal,
  })
  return stored.url
}
