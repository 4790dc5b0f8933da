import { CornerDownRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../RichTextView'
import styles from './face.module.css'

/** One line: the variable in which an answer is saved. */
export function SavedTo({ name }: { name: string | null }) {
  const { t } = useTranslation('text')
  return (
    <div className={styles.saved}>
      <CornerDownRight size={12} aria-label={t('savesTo')} />
      <Chip name={name} />
    </div>
  )
}
