import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { drawQr } from '../../engine/values/qrCode'
import { Button } from './Button'
import { downloadBlob } from './downloadBlob'
import { downloadText } from './downloadText'
import { notify } from './notify'
import { QrCode, qrPng, qrSvg } from './QrCode'
import styles from './QrCode.module.css'

/** A QR code with its files for print. @param name of the files, without an ending */
export function QrDownloads({ text, label, name }: { text: string; label: string; name: string }) {
  const { t } = useTranslation()
  const png = () =>
    qrPng(drawQr(text)).then(
      (blob) => downloadBlob(blob, `${name}.png`),
      () => notify.error(t('errors.message')),
    )
  return (
    <div className={styles.withDownloads}>
      <QrCode text={text} label={label} />
      <div className={styles.downloads}>
        <Button icon={<Download size={14} />} onClick={() => void png()}>
          {t('qr.png')}
        </Button>
        <Button
          icon={<Download size={14} />}
          onClick={() => downloadText(qrSvg(drawQr(text)), `${name}.svg`, 'image/svg+xml')}
        >
          {t('qr.svg')}
        </Button>
      </div>
    </div>
  )
}
