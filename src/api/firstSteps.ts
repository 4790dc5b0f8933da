import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../server/contracts/account'
import { updateAgentChecklist } from '../../server/contracts/account'
import {
  answerSurvey,
  type FeatureChoice,
  type SurveyAnswers,
  updateStart,
  voteFeature,
} from '../../server/contracts/firstSteps'
import { notify } from '../ui/notify'
import { refreshAccount, settingsChanged } from './account'
import { callRoute } from './client'
import { failureText } from './failure'

/** What is asked and shown to people at the beginning: survey, checklist, vote, the chatbot that is opened first. */
export function useFirstSteps() {
  const { t } = useTranslation()
  const onError = (error: Error) => notify.error(failureText(error, t('errors.message')))
  const onSuccess = (settings: Settings) => settingsChanged(settings)
  const survey = useMutation({
    mutationFn: (answers: SurveyAnswers | null) => callRoute(answerSurvey, { body: { answers } }),
    onSuccess,
    onError,
  })
  const vote = useMutation({
    mutationFn: (choice: FeatureChoice | null) => callRoute(voteFeature, { body: { choice } }),
    onError,
  })
  const start = useMutation({
    mutationFn: (body: { default_chatbot_id?: string | null; hide_onboarding_checklist?: boolean }) =>
      callRoute(updateStart, { body }),
    onSuccess,
    onError,
  })
  /** for everybody in the project */
  const dismiss = useMutation({
    mutationFn: (pgid: string) => callRoute(updateAgentChecklist, { body: { pgid, dismissed: true } }),
    onSuccess: refreshAccount,
    onError,
  })
  return { survey, vote, start, dismiss }
}
