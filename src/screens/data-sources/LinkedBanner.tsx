import { Library } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SourceList } from '../../../server/contracts/sources'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, useSourceChanges } from '../../api/sources'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import styles from './data-sources.module.css'

interface LinkedBannerProps {
  place: ChatbotPlace
  linked: NonNullable<SourceList['linked']>
  ownCount: number
}

/** Shows which other chatbot's knowledge base is used, and how to use one's own again. */
export function LinkedBanner({ place, linked, ownCount }: LinkedBannerProps) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { link } = useSourceChanges(place)
  const mayLink = useCan('knowledge_base.link')
  const unlink = () =>
    link.mutate(null, {
      onSuccess: () => notify.success(t('link.unlinked')),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  const names = { name: linked.name }
  const to = `/projects/${place.pgid}/chatbots/${linked.gid}/data-sources`
  return (
    <div className={styles.banner} role="note">
      <Library size={16} aria-hidden />
      <p>
        {ownCount > 0 ? (
          <Trans t={t} i18nKey="link.ownKept" values={names} shouldUnescape>
            Linked to <Link to={to}>name</Link>
          </Trans>
        ) : (
          <Trans t={t} i18nKey="link.ownNone" values={names} shouldUnescape>
            Linked to <Link to={to}>name</Link>
          </Trans>
        )}
      </p>
      {mayLink && (
        <Button size="s" loading={link.isPending} onClick={unlink}>
          {t('link.unlink')}
        </Button>
      )}
    </div>
  )
}
