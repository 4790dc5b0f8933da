import { Eye, Megaphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOperatorNotice, useStopViewing } from '../api/admin'
import { failureText } from '../api/failure'
import { Button } from '../ui/Button'
import { notify } from '../ui/notify'
import styles from './OverLimitBanner.module.css'

/** Above each screen: what who runs the installation announces, and that they see it as somebody else. */
export function OperatorNotice() {
  const { t } = useTranslation()
  const notice = useOperatorNotice()
  const stop = useStopViewing()
  const { viewing, announcement } = notice ?? {}
  return (
    <>
      {viewing && (
        <section className={styles.banner} aria-label={t('operator.viewingLabel')}>
          <Eye size={15} aria-hidden />
          <p>{t('operator.viewing', { email: viewing.email })}</p>
          <Button
            size="s"
            loading={stop.isPending}
            onClick={() =>
              stop.mutate(undefined, { onError: (error) => notify.error(failureText(error, t('errors.message'))) })
            }
          >
            {t('operator.stop')}
          </Button>
        </section>
      )}
      {announcement && (
        <section
          className={styles.banner}
          data-news={announcement.warns ? undefined : true}
          aria-label={t('operator.announcement')}
        >
          <Megaphone size={15} aria-hidden />
          <p>{announcement.text}</p>
        </section>
      )}
    </>
  )
}
