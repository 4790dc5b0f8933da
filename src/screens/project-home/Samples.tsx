import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../api/account'
import { chatbotsQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { useSamples } from '../../api/samples'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'

/** Offers samples to a project without chatbots, and takes them away again. Shown to who may do so. */
export function Samples({ pgid }: { pgid: string }) {
  const { t } = useTranslation('firstSteps')
  const { t: common } = useTranslation()
  const mayChange = useCan('project.update')
  const { data: chatbots } = useQuery(chatbotsQuery(pgid))
  const { add, remove } = useSamples(pgid)
  if (!mayChange || !chatbots) return null
  const sample = chatbots.find((chatbot) => chatbot.sample)
  if (!sample && chatbots.length > 0) return null
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  if (sample)
    return (
      <Card
        title={t('samples.title')}
        description={t('samples.there', { name: sample.name })}
        actions={
          <Button
            size="s"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onError, onSuccess: () => notify.success(t('samples.removed')) })}
          >
            {t('samples.remove')}
          </Button>
        }
      />
    )
  return (
    <Card
      title={t('samples.title')}
      description={t('samples.why')}
      actions={
        <Button
          size="s"
          loading={add.isPending}
          onClick={() => add.mutate(undefined, { onError, onSuccess: () => notify.success(t('samples.added')) })}
        >
          {t('samples.add')}
        </Button>
      }
    />
  )
}
