import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Source } from '../../../../server/contracts/sources'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { formatBytes, formatMoment, formatNumber, languageName } from '../../../i18n/format'
import { Card } from '../../../ui/Card'
import { notify } from '../../../ui/notify'
import { ResyncField } from '../new/ResyncField'
import styles from './source.module.css'

/** A source's metadata, and its sync interval. */
export function SourceFacts({ place, source }: { place: ChatbotPlace; source: Source }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { resync } = useSourceChanges(place)
  const mayResync = useCan('knowledge_base.resync')
  const { gid, kind, url, file_name, bytes, pages, characters, language, created_at, trained_at } = source
  return (
    <Card title={t('view.facts')}>
      <dl className={styles.facts}>
        {url && (
          <Fact name={t('view.address')}>
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {url} <ExternalLink size={12} aria-hidden />
            </a>
          </Fact>
        )}
        {file_name && <Fact name={t('view.file')}>{file_name}</Fact>}
        {bytes !== null && <Fact name={t('view.size')}>{formatBytes(bytes)}</Fact>}
        {pages !== null && <Fact name={t('view.pages')}>{formatNumber(pages)}</Fact>}
        <Fact name={t('view.characters')}>{formatNumber(characters)}</Fact>
        <Fact name={t('view.language')}>{language ? languageName(language) : t('view.noLanguage')}</Fact>
        <Fact name={t('view.added')}>{formatMoment(created_at)}</Fact>
        <Fact name={t('view.trained')}>{trained_at ? formatMoment(trained_at) : t('table.never')}</Fact>
      </dl>
      {kind === 'link' && mayResync && (
        <ResyncField
          value={resync.isPending ? resync.variables.resync : source.resync}
          onChange={(chosen) =>
            resync.mutate(
              { gids: [gid], resync: chosen },
              {
                onSuccess: () => notify.success(t('resynced')),
                onError: (error) => notify.error(failureText(error, common('errors.message'))),
              },
            )
          }
        />
      )}
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
