import { useInfiniteQuery } from '@tanstack/react-query'
import { GitCompareArrows, Layers } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../api/failure'
import { versionsQuery } from '../../../api/versions'
import { Button } from '../../../ui/Button'
import { EmptyState } from '../../../ui/EmptyState'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { useBuilder } from '../builderContext'
import { ChangeSummary } from '../compare/ChangeSummary'
import { useDraftChanges } from '../useDraftChanges'
import { PanelHeader } from './PanelHeader'
import { VersionRow } from './VersionRow'
import styles from './VersionsPanel.module.css'

/** The draft and the chatbot's versions, newest first, with actions. */
export function VersionsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('versions')
  const { pgid, chatbot } = useBuilder()
  const list = useInfiniteQuery(versionsQuery(pgid, chatbot.gid))
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? []
  const published = list.data?.pages[0]?.published ?? null
  return (
    <>
      <PanelHeader title={t('title')} close={t('closePanel')} onClose={onClose} />
      <div className={styles.body}>
        <Draft published={published} />
        {list.isPending && <LoadingState rows={3} height={52} />}
        {list.isError && (
          <ErrorCard
            message={failureText(list.error, t('failed'))}
            action={{ label: t('again'), onClick: () => void list.refetch() }}
          />
        )}
        {list.data && versions.length === 0 && (
          <EmptyState icon={<Layers size={20} />} title={t('none')} message={t('noneHint')} />
        )}
        <ul className={styles.list} aria-label={t('title')}>
          {versions.map((version, at) => (
            <VersionRow
              key={version.number}
              version={version}
              isPublished={version.number === published}
              previous={versions[at + 1]?.number ?? null}
            />
          ))}
        </ul>
        {list.hasNextPage && (
          <Button size="s" design="ghost" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {t('older')}
          </Button>
        )}
      </div>
    </>
  )
}

/** The draft: its unpublished changes. */
function Draft({ published }: { published: number | null }) {
  const { t } = useTranslation('versions')
  const { compare } = useBuilder()
  const changes = useDraftChanges(published)
  return (
    <section className={styles.draft} aria-label={t('draft')}>
      <p className={styles.line}>
        <strong>{t('draft')}</strong>
      </p>
      {published === null ? (
        <p className={styles.meta}>{t('neverPublished')}</p>
      ) : (
        changes && (
          <>
            <p className={styles.meta}>
              <ChangeSummary changes={changes} />
            </p>
            {changes.any && (
              <Button
                size="s"
                icon={<GitCompareArrows size={13} />}
                onClick={() => compare({ before: published, after: 'draft' })}
              >
                {t('seeChanges')}
              </Button>
            )}
          </>
        )
      )}
    </section>
  )
}
