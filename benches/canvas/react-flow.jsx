// The same blocks and wires in React Flow: custom nodes of four lines of text, with only visible
// ones in the DOM.

import "@xyflow/react/dist/style.css";
import { Handle, Position, ReactFlow, ReactFlowProvider, useReactFlow } from "@xyflow/react";
import { memo } from "react";
import { createRoot } from "react-dom/client";

const Block = memo(function Block({ data }) {
  return (
    <div className="block" style={{ width: data.width, height: data.height }}>
      <Handle type="target" position={Position.Left} />
      {data.lines.map((line, at) => (
        <div key={at}>{line}</div>
      ))}
      <Handle type="source" position={Position.Right} />
    </div>
  );
});

const nodeTypes = { block: Block };

/** Exposes the camera to the driver. */
function Camera() {
  const flow = useReactFlow();
  window.look = ({ x, y, zoom }) => flow.setViewport({ x, y, zoom });
  window.camera = () => flow.getViewport();
  return null;
}

window.show = ({ nodes, edges, camera }) => {
  createRoot(document.getElementById("root")).render(
    <ReactFlowProvider>
      <ReactFlow
        defaultNodes={nodes}
        defaultEdges={edges}
        defaultViewport={camera}
        nodeTypes={nodeTypes}
        onlyRenderVisibleElements
        minZoom={0.01}
        panOnDrag={[1]}
        selectionOnDrag
        selectionMode="partial"
      >
        <Camera />
      </ReactFlow>
    </ReactFlowProvider>,
  );
};
