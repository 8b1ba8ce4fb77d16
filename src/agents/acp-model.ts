// Which model an ACP agent uses. The protocol has an option of the session for it; agents of an earlier date have a list
// of models and a request of its own.
import { type ClientContext, methods } from '@agentclientprotocol/sdk'
import { AcpTrouble } from './acp-trouble.ts'
import { type Json, listAt, objectAt, textAt } from './json-line.ts'

/** The model of a session as it was opened; null: the agent does not say. */
export function modelOf(opened: Json): string | null {
  return textAt(modelOption(opened), 'currentValue') ?? textAt(opened, 'models', 'currentModelId')
}

export async function chooseModel(
  agent: ClientContext,
  sessionId: string,
  opened: Json,
  model: string,
): Promise<string> {
  if (modelOf(opened) === model) return model
  const configId = textAt(modelOption(opened), 'id')
  if (configId !== null)
    await agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value: model })
  else if (objectAt(opened, 'models')) await agent.request('session/set_model', { sessionId, modelId: model })
  else
    throw new AcpTrouble(`it does not let its model be chosen; name ${model} in its \`args\`, if it can be named there`)
  return model
}

function modelOption(opened: Json): Json | null {
  const options = listAt(opened, 'configOptions').map((one) => objectAt(one))
  return options.find((option) => option?.category === 'model') ?? null
}
