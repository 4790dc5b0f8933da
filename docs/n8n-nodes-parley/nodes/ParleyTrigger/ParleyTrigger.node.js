const { createHmac, timingSafeEqual } = require('node:crypto')

/** Signatures older than this are refused, in seconds: an earlier message can't be sent again by who saw it. */
const TOLERANCE = 300

const event = (value, name) => ({ name, value })

/** Begins a workflow with an event of a project: adds a webhook there while the workflow is active. */
class ParleyTrigger {
  description = {
    displayName: 'Parley Trigger',
    name: 'parleyTrigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts a workflow when something happens in Parley',
    subtitle: '={{$parameter["events"].join(", ")}}',
    defaults: { name: 'Parley Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'parleyApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: [],
        options: [
          event('conversation.started', 'Conversation Started'),
          event('conversation.handed_over', 'Conversation Handed Over'),
          event('conversation.assigned', 'Conversation Assigned'),
          event('conversation.closed', 'Conversation Closed'),
          event('conversation.reopened', 'Conversation Reopened'),
          event('conversation.rated', 'Conversation Rated'),
          event('message.created', 'New Messages'),
          event('message.rated', 'Answer Rated'),
          event('contact.created', 'Contact Created'),
          event('contact.updated', 'Contact Updated'),
          event('contact.deleted', 'Contact Deleted'),
          event('lead.created', 'Lead Created'),
          event('lead.updated', 'Lead Updated'),
          event('flow.published', 'Flow Published'),
          event('flow.unpublished', 'Flow Unpublished'),
        ],
      },
      {
        displayName: 'Include Personal Data',
        name: 'personal',
        type: 'boolean',
        default: true,
        description: 'Whether names, addresses and what visitors write are sent',
      },
    ],
  }

  webhookMethods = {
    default: {
      async checkExists() {
        const { gid } = this.getWorkflowStaticData('node')
        if (!gid) return false
        const { data } = await call(this, 'GET', '')
        const url = this.getNodeWebhookUrl('default')
        return data.endpoints.some((endpoint) => endpoint.gid === gid && endpoint.url === url && endpoint.enabled)
      },
      async create() {
        const { data } = await call(this, 'POST', '', {
          url: this.getNodeWebhookUrl('default'),
          description: 'n8n',
          events: this.getNodeParameter('events'),
          personal: this.getNodeParameter('personal'),
          enabled: true,
        })
        Object.assign(this.getWorkflowStaticData('node'), { gid: data.endpoint.gid, secret: data.secret })
        return true
      },
      async delete() {
        const kept = this.getWorkflowStaticData('node')
        if (!kept.gid) return true
        try {
          await call(this, 'DELETE', `/${kept.gid}`)
        } catch (error) {
          // somebody has deleted it in Parley
          if (String(error?.httpCode ?? error?.response?.status) !== '404') return false
        }
        delete kept.gid
        delete kept.secret
        return true
      },
    },
  }

  async webhook() {
    const request = this.getRequestObject()
    const { secret } = this.getWorkflowStaticData('node')
    if (!isSigned(secret, this.getHeaderData(), request.rawBody)) {
      this.getResponseObject().status(401).send('The signature is not that of this webhook.').end()
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}

/** A call of the project's webhooks. */
async function call(hook, method, path, body) {
  const { baseUrl, project } = await hook.getCredentials('parleyApi')
  const url = `${baseUrl.replace(/\/+$/, '')}/api/projects/${project}/webhooks${path}`
  return hook.helpers.httpRequestWithAuthentication.call(hook, 'parleyApi', {
    method,
    url,
    json: true,
    ...(body && { body }),
  })
}

/** Whether a message is of this webhook, and new (Standard Webhooks). */
function isSigned(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given } = headers
  if (!secret || !id || !given || !(Math.abs(now - Number(at)) <= TOLERANCE)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${at}.`).update(body).digest()
  return String(given)
    .split(' ')
    .some((each) => {
      const signature = Buffer.from(each.replace(/^v1,/, ''), 'base64')
      return signature.length === wanted.length && timingSafeEqual(signature, wanted)
    })
}

module.exports = { ParleyTrigger, isSigned }
