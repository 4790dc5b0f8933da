/** What messengers and social networks show of a link, at most: others scale larger images down themselves. */
const WIDTH = 1_200
const HEIGHT = 1_200
/** Below this they show no image. */
export const LEAST = 200
/** Decoding takes four bytes a pixel. */
export const MOST_MEGAPIXELS = 50
/** Some messengers load no more. */
const BYTES = 600_000
const QUALITIES = [0.9, 0.8, 0.65, 0.5]

/** Thrown for a file that makes no preview image; `reason` names the text. */
export class ImageRefused extends Error {
  constructor(
    readonly reason: 'unreadable' | 'tooSmall' | 'tooLarge',
    readonly size: { width: number; height: number } = { width: 0, height: 0 },
  ) {
    super(reason)
  }
}

/**
 * Makes a JPEG that link previews everywhere show: at most 1,200 pixels a side and about 600 KB, on white where it was
 * transparent. @throws ImageRefused
 */
export async function previewImage(file: File): Promise<File> {
  const { width, height, draw, close } = await read(file)
  try {
    if (Math.min(width, height) < LEAST) throw new ImageRefused('tooSmall', { width, height })
    if (width * height > MOST_MEGAPIXELS * 1e6) throw new ImageRefused('tooLarge', { width, height })
    const scale = Math.min(1, WIDTH / width, HEIGHT / height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    const context = canvas.getContext('2d')
    if (!context) throw new ImageRefused('unreadable')
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    draw(context, canvas.width, canvas.height)
    return new File([await encoded(canvas)], `${file.name.replace(/\.\w+$/, '')}.jpg`, { type: 'image/jpeg' })
  } finally {
    close()
  }
}

/** An image element reads the size before it decodes; its picture is upright, as the camera was held. */
async function read(file: File) {
  const url = URL.createObjectURL(file)
  const image = new Image()
  image.src = url
  const close = () => URL.revokeObjectURL(url)
  const loaded = await new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
  })
  const { naturalWidth: width, naturalHeight: height } = image
  if (!loaded || width === 0 || height === 0 || file.type === 'image/svg+xml') {
    close()
    throw new ImageRefused('unreadable')
  }
  const draw = (context: CanvasRenderingContext2D, w: number, h: number) => context.drawImage(image, 0, 0, w, h)
  return { width, height, draw, close }
}

async function encoded(canvas: HTMLCanvasElement): Promise<Blob> {
  let smallest: Blob | null = null
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (!blob) throw new ImageRefused('unreadable')
    smallest = blob
    if (blob.size <= BYTES) break
  }
  return smallest as Blob
}
