import { useTranslation } from 'react-i18next'
import styles from './Composer.module.css'

interface MentionListProps {
  id: string
  people: readonly { gid: string; name: string }[]
  /** the gid of the one that Enter chooses */
  active: string
  onPick: (name: string) => void
}

/** The members that match the text after an @. The focus stays in the text. */
export function MentionList({ id, people, active, onPick }: MentionListProps) {
  const { t } = useTranslation('comments')
  return (
    <div id={id} className={styles.people} role="listbox" aria-label={t('composer.people')}>
      {people.map(({ gid, name }) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text has the focus, and its keys choose
        // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points here
        <div
          key={gid}
          id={`${id}-${gid}`}
          className={styles.person}
          role="option"
          aria-selected={gid === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(name)}
        >
          {name}
        </div>
      ))}
    </div>
  )
}
