import { useTranslation } from 'react-i18next'
import { systemVariables } from '../../../engine/values/systemVariables'
import { useAccount } from '../../api/account'
import { hideAnnouncement } from '../../api/settings'
import { useProjection } from '../../canvas/context'
import { useReadOnly } from '../../collab/useFlow'
import { formatList } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { useBuilder } from './builderContext'
import styles from './tour/Tour.module.css'

/** Names that contacts have had since they are filled by themselves. */
const ofContacts = new Set<string>(
  systemVariables.map(({ name }) => name).filter((name) => name.startsWith('contact_')),
)

/**
 * Tells an editor whose flow keeps a contact's data in variables of its own that these are built in by now: one's own
 * follow no contact, and the two look alike in the list. Until it is put away, and after the tour.
 */
export function ContactVariables() {
  const { t } = useTranslation('builder')
  const { settings } = useAccount().user
  const readOnly = useReadOnly()
  const { openPanel } = useBuilder()
  const variables = useProjection(({ variables: all }) => all)
  const own = variables.filter(({ name }) => ofContacts.has(name.trim().toLowerCase().replaceAll(' ', '_')))
  const isQuiet = settings.hide_contact_variables_deprecation_popup || !settings.hide_builder_tutorial_video_popup
  if (readOnly || isQuiet || own.length === 0) return null
  const putAway = () => hideAnnouncement('hide_contact_variables_deprecation_popup')
  return (
    <section className={styles.offer} aria-label={t('contactVariables.title')}>
      <h2 className={styles.title}>{t('contactVariables.title')}</h2>
      <p className={styles.text}>
        {t('contactVariables.text', { count: own.length, names: formatList(own.map(({ name }) => name)) })}
      </p>
      <div className={styles.buttons}>
        <Button
          size="s"
          design="primary"
          onClick={() => {
            openPanel('variables')
            void putAway()
          }}
        >
          {t('contactVariables.show')}
        </Button>
        <Button size="s" design="ghost" onClick={() => void putAway()}>
          {t('contactVariables.done')}
        </Button>
      </div>
    </section>
  )
}
