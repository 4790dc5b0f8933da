import { ImageRefused, jpegOf, openImage, whiteCanvas } from '../../ui/openImage'

/** What messengers and social networks show of a link, at most: others scale larger images down themselves. */
const WIDTH = 1_200
const HEIGHT = 1_200
/** Below this they show no image. */
export const LEAST = 200
/** Some messengers load no more. */
const BYTES = 600_000
const QUALITIES = [0.9, 0.8, 0.65, 0.5]

/**
 * Makes a JPEG that link previews everywhere show: at most 1,200 pixels a side and about 600 KB, on white where it was
 * transparent. @throws ImageRefused
 */
export async function previewImage(file: File): Promise<File> {
  const { image, width, height, close } = await openImage(file)
  try {
    if (Math.min(width, height) < LEAST) throw new ImageRefused('tooSmall', { width, height })
    const scale = Math.min(1, WIDTH / width, HEIGHT / height)
    const { canvas, context } = whiteCanvas(Math.round(width * scale), Math.round(height * scale))
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return new File([await encoded(canvas)], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
  } finally {
    close()
  }
}

async function encoded(canvas: HTMLCanvasElement): Promise<Blob> {
  let smallest: Blob | null = null
  for (const quality of QUALITIES) {
    smallest = await jpegOf(canvas, quality)
    if (smallest.size <= BYTES) break
  }
  return smallest as Blob
}
