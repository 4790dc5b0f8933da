import { PICTURE_CAP } from '../../../server/contracts/pictures'
import { ImageRefused, jpegOf, openImage, whiteCanvas } from '../../ui/openImage'

/** Sharp at the largest place where a picture is shown, on dense screens. */
const SIDE = 256
const QUALITIES = [0.9, 0.75, 0.5]

/**
 * Makes a person's picture of a file: its middle as a square, scaled down to 256 pixels, as a JPEG without what the
 * camera noted. @throws ImageRefused
 */
export async function squarePicture(file: File): Promise<Blob> {
  const { image, width, height, close } = await openImage(file)
  try {
    const part = Math.min(width, height)
    const side = Math.min(SIDE, part)
    const { canvas, context } = whiteCanvas(side, side)
    context.drawImage(image, (width - part) / 2, (height - part) / 2, part, part, 0, 0, side, side)
    for (const quality of QUALITIES) {
      const blob = await jpegOf(canvas, quality)
      if (blob.size <= PICTURE_CAP) return blob
    }
    throw new ImageRefused('unreadable')
  } finally {
    close()
  }
}
