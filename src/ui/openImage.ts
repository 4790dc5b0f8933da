/** Decoding takes four bytes a pixel. */
export const MOST_MEGAPIXELS = 50

/** Thrown for a file that no picture is made of; `reason` names the text. */
export class ImageRefused extends Error {
  constructor(
    readonly reason: 'unreadable' | 'tooSmall' | 'tooLarge',
    readonly size: { width: number; height: number } = { width: 0, height: 0 },
  ) {
    super(reason)
  }
}

/**
 * Opens a picture to be drawn on a canvas. An image element reads the size before it decodes; its picture is upright,
 * as the camera was held. Call `close` in the end. @throws ImageRefused for what no browser shows, or an SVG drawing,
 * and above `MOST_MEGAPIXELS`
 */
export async function openImage(file: File) {
  const url = URL.createObjectURL(file)
  const image = new Image()
  image.src = url
  const close = () => URL.revokeObjectURL(url)
  const loaded = await new Promise<boolean>((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
  })
  const { naturalWidth: width, naturalHeight: height } = image
  const isShown = loaded && width > 0 && height > 0 && file.type !== 'image/svg+xml'
  if (!isShown || width * height > MOST_MEGAPIXELS * 1e6) {
    close()
    throw isShown ? new ImageRefused('tooLarge', { width, height }) : new ImageRefused('unreadable')
  }
  return { image, width, height, close }
}

/** A canvas of a size, white where nothing is drawn: a JPEG has no transparency. @throws ImageRefused */
export function whiteCanvas(width: number, height: number) {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new ImageRefused('unreadable')
  context.fillStyle = 'white'
  context.fillRect(0, 0, width, height)
  context.imageSmoothingQuality = 'high'
  return { canvas, context }
}

/** What is drawn, as a JPEG. @param quality from 0 to 1. @throws ImageRefused */
export async function jpegOf(canvas: HTMLCanvasElement, quality: number): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (!blob) throw new ImageRefused('unreadable')
  return blob
}
