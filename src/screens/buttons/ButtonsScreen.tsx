import { useTranslation } from 'react-i18next'
import { Button, buttonDesigns } from '../../ui/Button'
import { buttonIcons } from '../../ui/buttonIcons'
import { Card } from '../../ui/Card'
import { PageHeader } from '../../ui/PageHeader'
import { SettingsStack } from '../../ui/SettingsStack'
import styles from './buttons.module.css'

const icons = Object.entries(buttonIcons)

/** /projects/:pgid/buttons: every design of a button with its states, and every icon by its name. */
export function ButtonsScreen() {
  const { t } = useTranslation('buttons')
  return (
    <>
      <PageHeader title={t('title')} description={t('description')} />
      <SettingsStack>
        {buttonDesigns.map((design) => (
          <Card key={design} title={t(`designs.${design}`)}>
            <fieldset className={styles.row} aria-label={t(`designs.${design}`)}>
              <Button design={design}>{t('enabled')}</Button>
              <Button design={design} disabled>
                {t('disabled')}
              </Button>
              <Button design={design} loading>
                {t('loading')}
              </Button>
            </fieldset>
          </Card>
        ))}
        <Card title={t('icons')}>
          <fieldset className={styles.row} aria-label={t('icons')}>
            {icons.map(([name, icon]) => (
              <Button key={name} icon={icon}>
                {t(`names.${name}`)}
              </Button>
            ))}
          </fieldset>
        </Card>
      </SettingsStack>
    </>
  )
}
