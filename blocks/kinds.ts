import { abSplit } from './ab-split/block'
import { aiAnswer } from './ai-answer/block'
import { aiExtract } from './ai-extract/block'
import { audio } from './audio/block'
import { buttons } from './buttons/block'
import { calendlyBooking } from './calendly-booking/block'
import { carousel } from './carousel/block'
import { condition } from './condition/block'
import { contact } from './contact/block'
import { contactCard } from './contact-card/block'
import { dateInput } from './date-input/block'
import { document } from './document/block'
import { emailInput } from './email-input/block'
import { embed } from './embed/block'
import { end } from './end/block'
import { fileUpload } from './file-upload/block'
import { form } from './form/block'
import { goToBlock } from './go-to/block'
import { handOff } from './hand-off/block'
import { httpRequest } from './http-request/block'
import { hubspotRecord } from './hubspot-record/block'
import { image } from './image/block'
import { intent } from './intent/block'
import { linkOpened } from './link-opened/block'
import { location } from './location/block'
import { locationInput } from './location-input/block'
import { numberInput } from './number-input/block'
import { pageOpened } from './page-opened/block'
import { phoneInput } from './phone-input/block'
import { placeholder } from './placeholder/block'
import { redirect } from './redirect/block'
import { returningUser } from './returning-user/block'
import { salesforceRecord } from './salesforce-record/block'
import { satisfaction } from './satisfaction/block'
import { sendEmail } from './send-email/block'
import { setVariableBlock } from './set-variable/block'
import { sheetRow } from './sheet-row/block'
import { start } from './start/block'
import { text } from './text/block'
import { textInput } from './text-input/block'
import { urlInput } from './url-input/block'
import { video } from './video/block'
import { waitBlock } from './wait/block'
import { webhook } from './webhook/block'
import { whatsappOptIn } from './whatsapp-opt-in/block'
import { whatsappTemplate } from './whatsapp-template/block'
import { whatsappWindow } from './whatsapp-window/block'
import { zendeskTicket } from './zendesk-ticket/block'

/** All block kinds in palette order. */
export const kinds = [
  start,
  intent,
  returningUser,
  pageOpened,
  linkOpened,
  webhook,
  text,
  image,
  video,
  audio,
  document,
  carousel,
  embed,
  location,
  contactCard,
  buttons,
  textInput,
  emailInput,
  numberInput,
  phoneInput,
  dateInput,
  urlInput,
  locationInput,
  satisfaction,
  form,
  fileUpload,
  condition,
  setVariableBlock,
  goToBlock,
  waitBlock,
  abSplit,
  redirect,
  aiAnswer,
  aiExtract,
  httpRequest,
  sendEmail,
  contact,
  sheetRow,
  hubspotRecord,
  salesforceRecord,
  zendeskTicket,
  calendlyBooking,
  whatsappTemplate,
  whatsappWindow,
  whatsappOptIn,
  handOff,
  end,
  placeholder,
]
