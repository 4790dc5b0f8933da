import qrcode from 'qrcode-generator'

/** Modules of light around it, which readers want. */
const MARGIN = 4

export interface QrDrawing {
  /** modules a side, with the margin */
  size: number
  /** of an SVG: the dark modules */
  path: string
}

/**
 * Draws a text as a QR code (ISO/IEC 18004) that survives a stain: correction level M. @throws for more than some 2,300
 * bytes
 */
export function drawQr(text: string): QrDrawing {
  const code = qrcode(0, 'M')
  // a character for each byte of UTF-8
  const bytes = encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  code.addData(bytes, 'Byte')
  code.make()
  const count = code.getModuleCount()
  let path = ''
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + MARGIN} ${row + MARGIN}h1v1h-1z`
  return { size: count + 2 * MARGIN, path }
}
