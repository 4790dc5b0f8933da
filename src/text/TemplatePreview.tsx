import { useTranslation } from 'react-i18next'
import { type ChannelTemplate, templateText } from '../../server/contracts/channelTemplates'
import styles from './templatePreview.module.css'

interface TemplatePreviewProps {
  template: ChannelTemplate
  /** one for each of its places; a place without one stands as it is */
  values: readonly string[]
}

/** A template as people get it. */
export function TemplatePreview({ template, values }: TemplatePreviewProps) {
  const { t } = useTranslation()
  return (
    <section className={styles.preview} aria-label={t('templatePreview')}>
      <p className={styles.text}>{templateText(template, values)}</p>
      {template.buttons.map((label) => (
        <span key={label} className={styles.button}>
          {label}
        </span>
      ))}
    </section>
  )
}
