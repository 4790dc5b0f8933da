import { useMemo } from 'react'
import { drawQr, type QrDrawing } from '../../engine/values/qrCode'
import styles from './QrCode.module.css'

/** px of a module in a picture: large enough for print */
const SCALE = 16

/** The code as a file's text: black on white, whatever the interface's colours are. */
export const qrSvg = ({ size, path }: QrDrawing): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
  `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`

/** The code as a PNG. */
export async function qrPng({ size, path }: QrDrawing): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size * SCALE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser draws no pictures')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(SCALE, SCALE)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture came of it'))), 'image/png'),
  )
}

/** A QR code to be read from the screen. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawQr(text), [text])
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path className={styles.light} d={`M0 0h${size}v${size}H0z`} />
      <path className={styles.dark} d={path} />
    </svg>
  )
}
